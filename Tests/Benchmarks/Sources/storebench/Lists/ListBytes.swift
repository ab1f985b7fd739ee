import Foundation

/// Returns a JSON array of `count` objects whose members `appendMembers` appends. The same arguments always produce
/// the same array.
func list(
  of count: Int, seed: UInt64,
  _ appendMembers: (inout [UInt8], inout Random, _ index: Int) -> Void
) -> Data {
  var random = Random(seed: seed)
  var bytes = [UInt8(ascii: "[")]
  for index in 0..<count {
    if index > 0 { bytes.appendText(",") }
    bytes.appendText("{")
    appendMembers(&bytes, &random, index)
    bytes.appendText("}")
  }
  bytes.appendText("]")
  return Data(bytes)
}
