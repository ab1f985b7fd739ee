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

  /// What was written. A long text is not copied, its memory goes over to the data: unless that is
  /// much more than the text, as the last body was larger.
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
