import JSONText

/// Runs `body` with a reader over `bytes`.
func read<Value>(
  _ bytes: [UInt8], dialect: JSONDialect = .default, depthLimit: Int = 512,
  repairsUnicode: Bool = false, _ body: (inout JSONReader) throws(JSONError) -> Value
) throws(JSONError) -> Value {
  let input = try makeInput(bytes)
  var reader = JSONReader(
    input, dialect: dialect, depthLimit: depthLimit, repairsUnicode: repairsUnicode)
  return try body(&reader)
}

func read<Value>(
  _ text: String, dialect: JSONDialect = .default, depthLimit: Int = 512,
  repairsUnicode: Bool = false, _ body: (inout JSONReader) throws(JSONError) -> Value
) throws(JSONError) -> Value {
  try read(
    Array(text.utf8), dialect: dialect, depthLimit: depthLimit, repairsUnicode: repairsUnicode,
    body)
}

func makeInput(_ bytes: [UInt8]) throws(JSONError) -> JSONInput {
  try bytes.withUnsafeBufferPointer { (bytes) throws(JSONError) in
    try JSONInput(copying: UnsafeRawBufferPointer(bytes))
  }
}

/// The error thrown by `body`, or nil.
func error<Value>(of body: () throws(JSONError) -> Value) -> JSONError? {
  do throws(JSONError) {
    _ = try body()
    return nil
  } catch {
    return error
  }
}

/// The error thrown when all of `bytes` is skipped, or nil if they are one valid value.
func verdict(
  _ bytes: [UInt8], dialect: JSONDialect = .default, depthLimit: Int = 512,
  repairsUnicode: Bool = false
) -> JSONError? {
  do throws(JSONError) {
    let input = try makeInput(bytes)
    var reader = JSONReader(
      input, dialect: dialect, depthLimit: depthLimit, repairsUnicode: repairsUnicode)
    try reader.skipValue()
    try reader.finish()
    return nil
  } catch {
    return error
  }
}

func verdict(_ text: String, dialect: JSONDialect = .default) -> JSONError? {
  verdict(Array(text.utf8), dialect: dialect)
}

// MARK: - A naive model

/// A value as a plain tree; numbers are kept as text.
indirect enum Tree: Equatable {
  case object([Member])
  case array([Tree])
  case string(String)
  case number(String)
  case bool(Bool)
  case null

  struct Member: Equatable {
    var key: String
    var value: Tree
  }
}

/// Reads any value into a tree with the reader's functions for single values.
func readTree(_ reader: inout JSONReader) throws(JSONError) -> Tree {
  switch reader.kind() {
  case .object:
    var members: [Tree.Member] = []
    if try reader.beginObject() {
      repeat {
        let key = try reader.key().string
        members.append(Tree.Member(key: key, value: try readTree(&reader)))
      } while try reader.objectContinues()
    }
    return .object(members)
  case .array:
    var elements: [Tree] = []
    if try reader.beginArray() {
      repeat { elements.append(try readTree(&reader)) } while try reader.arrayContinues()
    }
    return .array(elements)
  case .string:
    return .string(try reader.string().string)
  case .number:
    return .number(String(decoding: try reader.numberText(), as: UTF8.self))
  case .bool:
    return .bool(try reader.bool())
  case .null, .invalid:
    if try reader.null() { return .null }
    _ = try reader.string()
    return .null
  }
}

func tree(
  _ bytes: [UInt8], dialect: JSONDialect = .default, repairsUnicode: Bool = false
) throws(JSONError) -> Tree {
  try read(bytes, dialect: dialect, repairsUnicode: repairsUnicode) {
    (reader) throws(JSONError) in
    let tree = try readTree(&reader)
    try reader.finish()
    return tree
  }
}

func tree(_ text: String) throws(JSONError) -> Tree {
  try tree(Array(text.utf8))
}
