import Foundation
import JSONText

extension JSONWriter {
  mutating func key(_ key: String) {
    var key = key
    key.withUTF8 { self.key($0) }
  }

  mutating func numberText(_ text: String) {
    var text = text
    text.withUTF8 { numberText($0) }
  }

  /// Returns the output. The memory of long output is transferred to the data without a copy, unless its
  /// capacity is much larger than the output.
  mutating func takeData() -> Data {
    if count < 1 << 14 || 2 * count < capacity {
      return withBytes { Data($0) }
    }
    let bytes = takeBytes()
    guard let start = bytes.baseAddress else { return Data() }
    return Data(
      bytesNoCopy: start, count: bytes.count,
      deallocator: .custom { start, _ in start.deallocate() })
  }
}
