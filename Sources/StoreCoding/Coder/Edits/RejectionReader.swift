import Foundation
import ObjectStore

/// Reads the body of an error response into a `Rejection`.
///
///     {"message": …, "errors": {"name": […], "lines.2.count": […]}}          Rails, Laravel, ASP.NET
///     {"name": […], "lines": [{}, {"count": […]}], "non_field_errors": […]}  Django REST framework
///     {"errors": [{"source": {"pointer": "/data/attributes/name"}, "detail": …}]}   JSON:API
///     {"title": …, "detail": …, "errors": [{"pointer": "#/name", "detail": …}]}     RFC 9457
///     {"message": …, "errors": [{"resource": …, "field": "name", "code": …}]}       GitHub
///     {"message": …, "details": [{"location": "body", "name": "name", "description": …}]}   Cornice
///     {"detail": …, "violations": [{"propertyPath": "lines[0].count", "message": …}]}   API Platform
///     {"formErrors": […], "fieldErrors": {"name": […]}}                      zod
///     {"data": {"orderUpdate": {"userErrors": [{"field": ["input", "name"], "message": …}]}}}   GraphQL
///     […], {"errors": […]}                                                   lists of texts
///
/// The shapes are told apart by the values, not by the server: a text is a message about the position at which it is,
/// an object with a text in one of ``RejectionNames/messages`` is one error, and every other object has a member per attribute.
struct RejectionReader {
  /// A position in the body.
  private struct Location {
    /// The position in the class; nil if the class has no mapping.
    var walk: AttributeWalk?
    /// The names and indices that lead from the class to the position, for messages that concern no attribute.
    var names: [String] = []

    var attribute: String? {
      guard let walk, walk.byteCount <= RejectionReader.attributeByteCount else { return nil }
      return walk.attribute
    }
  }

  /// The limits that keep the result small for any body.
  private static let messageCount = 1_000
  private static let messageCharacterCount = 1_000
  private static let messageByteCount = 4_000
  private static let attributeByteCount = 1_000
  /// Finding the attribute of an unknown name compares it with all names of the class.
  private static let positionCount = 20_000

  private let root: Location
  private var rejection = Edit.Rejection()
  /// The index of each attribute among those of the rejection.
  private var indices: [ExactString: Int] = [:]
  private var count = 0
  private var visitedCount = 0

  private init(_ plan: CodingPlan?) {
    root = Location(walk: plan.map { AttributeWalk($0, isLenient: true) })
  }

  /// - Parameter plan: The mapping of the class; nil if there is none.
  static func rejection(
    in body: Data, _ plan: CodingPlan?, _ configuration: CodingConfiguration
  ) -> Edit.Rejection {
    var reader = RejectionReader(plan)
    body.withUnsafeBytes { bytes in
      let isWithinLimit = bytes.count <= configuration.limits.byteCount ?? .max
      if isWithinLimit, let body = try? ErrorBody(bytes, configuration) {
        reader.read(body)
      } else {
        reader.readText(bytes)
      }
    }
    return reader.rejection
  }

  /// Reads a body that is not JSON.
  private mutating func readText(_ bytes: UnsafeRawBufferPointer) {
    let isSpace: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0D).contains($0) }
    let start = bytes.firstIndex { !isSpace($0) } ?? bytes.endIndex
    let text = UnsafeRawBufferPointer(rebasing: bytes[start...])
    let message = MessageText.clipped(text, characterCount: 200, byteCount: 600)
    if !message.isEmpty { rejection.general.append(message) }
  }

  // MARK: - The whole body

  private mutating func read(_ body: ErrorBody) {
    if case .object(let members) = body {
      read(members, isOutermost: true)
    } else {
      messages(body, at: root)
    }
  }

  private mutating func read(_ members: [ErrorBody.Member], isOutermost: Bool) {
    if isOutermost, let lists = userErrors(in: members) {
      return lists.forEach { messages($0, at: root) }
    }
    let hasErrors = members["errors"].map { !$0.isEmpty } ?? false
    let hasList = members.contains { isList($0, at: root) }
    let hasDetails =
      hasList || members["errors"] != nil || members.contains { isSummary($0) }
    for member in members {
      guard visits() else { return }
      if member.name == "errors" {
        messages(member.value, at: root)
      } else if isSummary(member) {
        summary(member, isOutermost: isOutermost)
      } else if hasErrors
        || hasDetails && isMetadata(member, isOutermost: isOutermost && !hasList)
      {
        continue
      } else {
        self.member(member, at: root)
      }
    }
  }

  /// The lists of errors in the payloads of a GraphQL response; nil if it has none. Empty lists count if the response has
  /// nothing else.
  private func userErrors(in members: [ErrorBody.Member]) -> [ErrorBody]? {
    guard members["errors"] == nil, case .object(let data) = members["data"] else { return nil }
    let isWhole = members.count == 1
    var lists: [ErrorBody] = []
    for payload in data {
      guard case .object(let members) = payload.value else { continue }
      lists += members.filter { member in
        guard case .array(let errors) = member.value, !errors.isEmpty || isWhole else {
          return false
        }
        return member.name == "userErrors" || member.name.hasSuffix("UserErrors")
      }.map(\.value)
    }
    return lists.isEmpty ? nil : lists
  }

  /// True if the member has messages about the whole rejection. An array or object in a member with the key of an
  /// attribute has messages about the attribute.
  private func isSummary(_ member: ErrorBody.Member) -> Bool {
    if RejectionNames.descriptions.contains(member.name) {
      return member.value.string != nil && !isAttribute(member)
    }
    guard RejectionNames.summaries.contains(member.name), !member.value.isNull else { return false }
    return !member.value.isContainer || !isAttribute(member)
  }

  /// True if the member only contains errors or further members, and its name is no key of an attribute.
  private func isList(_ member: ErrorBody.Member, at location: Location) -> Bool {
    location.names.isEmpty && member.value.isContainer
      && RejectionNames.lists.contains(member.name) && !isAttribute(member)
  }

  private func isAttribute(_ member: ErrorBody.Member) -> Bool {
    root.walk?.hasMember(member.name) ?? false
  }

  private mutating func summary(_ member: ErrorBody.Member, isOutermost: Bool) {
    guard member.name == "error", isOutermost, case .object(let members) = member.value else {
      messages(member.value, at: root)
      return
    }
    let isOneError = members["errors"] == nil && isError(members, isListed: false)
    if isOneError, location(namedBy: members) != nil {
      error(members, at: root)
    } else {
      read(members, isOutermost: false)
    }
  }

  /// True if a member next to a summary is no message.
  private func isMetadata(_ member: ErrorBody.Member, isOutermost: Bool) -> Bool {
    if member.value.isContainer {
      return RejectionNames.metadata.contains(member.name) && !isAttribute(member)
    }
    return member.value.string == nil || !isOutermost
      || RejectionNames.metadata.contains(member.name)
  }

  // MARK: - Values

  /// Reads the messages about a position.
  private mutating func messages(_ value: ErrorBody, at location: Location) {
    switch value {
    case .null: break
    case .bool(let flag): record("\(flag)", at: location)
    case .string(let text), .number(let text): record(text, at: location)
    case .array(let elements):
      let hasIndices = location.walk?.hasIndices ?? false
      for (index, element) in elements.enumerated() {
        guard visits() else { return }
        if case .object(let members) = element, isError(members, isListed: !hasIndices) {
          error(members, at: location)
        } else if element.isContainer, hasIndices {
          messages(element, at: self.location(ofElement: index, in: location))
        } else {
          messages(element, at: location)
        }
      }
    case .object(let members):
      if isError(members, isListed: false) {
        error(members, at: location)
      } else {
        for member in members {
          guard visits() else { return }
          self.member(member, at: location)
        }
      }
    }
  }

  /// Reads the messages in a member of the object at a position.
  private mutating func member(_ member: ErrorBody.Member, at location: Location) {
    if isList(member, at: location) { return messages(member.value, at: location) }
    let inner = self.location(of: member.name, in: location)
    // The annotations of JSON-LD and of gRPC: `@type`.
    if member.name.hasPrefix("@"), inner.attribute == nil { return }
    messages(member.value, at: inner)
  }

  /// Counts an element or member. Returns false if the body has too many.
  private mutating func visits() -> Bool {
    visitedCount += 1
    return count < Self.messageCount && visitedCount <= Self.positionCount
  }

  /// True if the object describes one error; otherwise, it has a member per attribute.
  private func isError(_ members: [ErrorBody.Member], isListed: Bool) -> Bool {
    let names = isListed ? RejectionNames.messages[...] : RejectionNames.messages.prefix(4)
    return members.contains { member in
      guard names.contains(member.name), member.value.string != nil else { return false }
      // A description is often an attribute.
      return member.name != "description" || location(namedBy: members) != nil
    }
  }

  /// Reads an object that describes one error.
  private mutating func error(_ members: [ErrorBody.Member], at location: Location) {
    let text = RejectionNames.messages.lazy.compactMap { members[$0]?.string }
      .first { !$0.isEmpty }
    guard let text else { return }
    let named = self.location(namedBy: members)
    // Mongoose names an attribute of an embedded object below the path of the object.
    let isOutside = named?.attribute == nil && location.attribute != nil
    record(text, at: isOutside ? location : named ?? location)
  }

  /// The position that an error names; nil if it names none.
  private func location(namedBy members: [ErrorBody.Member]) -> Location? {
    if case .object(let source) = members["source"] {
      if let pointer = source["pointer"]?.string { return location(at: pointer) }
      if let parameter = source["parameter"]?.string { return location(of: parameter, in: root) }
    }
    for name in ["pointer", "instancePath"] {
      if let pointer = members[name]?.string { return location(at: pointer) }
    }
    for name in ["loc", "path", "field", "param", "propertyPath", "attr"] {
      switch members[name] {
      case .string(let text):
        // Parts other than the body: query, params, headers, cookies.
        if let part = members["location"]?.string, part != "body" {
          return location(named: text, in: part)
        }
        return location(of: text, in: root)
      case .array(let elements):
        var names = elements.compactMap { element -> String? in
          switch element {
          case .string(let name), .number(let name): name
          case .bool(let flag): "\(flag)"
          case .null, .array, .object: nil
          }
        }
        if name == "loc", names.first == "body" { names.removeFirst() }
        return name == "field"
          ? location(ofInput: names) : location(along: names, name: names.joined(separator: "."))
      case .null, .bool, .number, .object, nil: break
      }
    }
    let hasReason = ["description", "reason"].contains { members[$0]?.string != nil }
    guard hasReason, let name = members["name"]?.string else { return nil }
    return location(named: name, in: members["location"]?.string ?? "body")
  }

  // MARK: - Positions

  /// The position of a pointer from the beginning of the request.
  private func location(at pointer: String) -> Location {
    let isRelative = pointer.contains("/") && !pointer.hasPrefix("/") && !pointer.hasPrefix("#")
    let names = JSONPath.names(in: isRelative ? "/\(pointer)" : pointer) ?? [pointer]
    let found = location(along: names, name: pointer)
    if found.attribute != nil { return found }
    for names in RejectionNames.shorter(names) {
      let inner = location(along: names, name: pointer)
      if inner.attribute != nil { return inner }
    }
    return RejectionNames.rootPointers.contains(pointer) ? root : found
  }

  /// The position of a path in the arguments of a GraphQL mutation, the first of which is often the object:
  /// `["input", "name"]`.
  private func location(ofInput names: [String]) -> Location {
    let name = names.joined(separator: ".")
    let found = location(along: names, name: name)
    guard found.attribute == nil, let first = names.first,
      !(root.walk?.hasMember(first) ?? false)
    else { return found }
    let inner = location(along: Array(names.dropFirst()), name: name)
    return inner.attribute == nil ? found : inner
  }

  /// The position of a name in a part of the request. The object may be in a member `data` of the body.
  private func location(named name: String, in part: String) -> Location {
    guard part == "body" else { return outside(outside(root, part), name) }
    let found = location(of: name, in: root)
    guard found.attribute == nil, name.hasPrefix("data.") else { return found }
    let inner = location(of: String(name.dropFirst("data.".count)), in: root)
    return inner.attribute == nil ? found : inner
  }

  /// The position of names from the beginning of the request.
  ///
  /// - Parameter name: The name of the position in messages if it is that of no attribute.
  private func location(along names: [String], name: String) -> Location {
    var location = root
    guard names.count <= JSONPath.depthLimit else { return outside(root, name) }
    for name in names { location.walk?.step(name) }
    if !names.isEmpty { location.names = [Self.clippedName(name)] }
    return location
  }

  /// The position of a member, whose name may also be a path: `lines.2.count`.
  private func location(of name: String, in location: Location) -> Location {
    let isMember = location.walk?.hasMember(name) ?? false
    if RejectionNames.general.contains(name), !isMember { return location }
    var next = outside(location, name)
    guard let walk = location.walk else { return next }
    var member = walk
    member.step(name)
    if member.isOutside, let names = JSONPath.names(in: name), names.count <= JSONPath.depthLimit {
      member = walk
      for name in names { member.step(name) }
    }
    next.walk = member
    return next
  }

  private func location(ofElement index: Int, in location: Location) -> Location {
    var next = location
    next.walk?.step("\(index)")
    next.names.append("[\(index)]")
    return next
  }

  /// A position below another one that is that of no attribute.
  private func outside(_ location: Location, _ name: String) -> Location {
    var next = location
    next.walk = nil
    next.names.append(Self.clippedName(name))
    return next
  }

  private static func clippedName(_ name: String) -> String {
    MessageText.clipped(name, characterCount: 64, byteCount: 192)
  }

  // MARK: - Messages

  private mutating func record(_ text: String, at location: Location) {
    let message = Self.clipped(text)
    guard count < Self.messageCount, !message.isEmpty else { return }
    count += 1
    if let attribute = location.attribute {
      let index = indices[ExactString(attribute)]
      if let index {
        rejection.attributes[index].messages.append(message)
      } else {
        indices[ExactString(attribute)] = rejection.attributes.count
        rejection.attributes.append(.init(attribute: attribute, messages: [message]))
      }
    } else if location.names.isEmpty {
      rejection.general.append(message)
    } else {
      rejection.general.append("\(Self.name(location.names)): \(message)")
    }
  }

  /// The names of a position, outermost first, as text: `lines[0].captcha`.
  private static func name(_ names: [String]) -> String {
    let text = names.reduce(into: "") { text, name in
      text += text.isEmpty || name.hasPrefix("[") ? name : "." + name
    }
    return MessageText.clipped(text, characterCount: 128, byteCount: 384)
  }

  /// The text without white space around it; the beginning of a long one.
  private static func clipped(_ text: String) -> String {
    let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
    guard text.utf8.count > messageCharacterCount else { return text }
    var scalars = String.UnicodeScalarView()
    var byteCount = 0
    for scalar in text.unicodeScalars {
      byteCount += UTF8.width(scalar)
      if byteCount > messageByteCount { break }
      scalars.append(scalar)
    }
    let kept = String(scalars)
    guard byteCount > messageByteCount || kept.count > messageCharacterCount else { return text }
    return String(kept.prefix(messageCharacterCount)) + "…"
  }
}
