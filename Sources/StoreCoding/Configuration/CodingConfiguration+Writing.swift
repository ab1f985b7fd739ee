import JSONText

extension CodingConfiguration {
  var keyOrder: JSONKeyOrder { sortsAsSerialization ? .numericCaseInsensitive : .bytes }

  /// True if keys are sorted, but not by their bytes.
  var sortsReadably: Bool { sortsAsSerialization && outputFormatting.contains(.sortedKeys) }

  var writerFormatting: JSONWriter.Formatting {
    var formatting: JSONWriter.Formatting = []
    if outputFormatting.contains(.prettyPrinted) { formatting.insert(.prettyPrinted) }
    if outputFormatting.contains(.sortedKeys) { formatting.insert(.sortedKeys) }
    if sortsAsSerialization { formatting.insert(.readableKeyOrder) }
    if !outputFormatting.contains(.withoutEscapingSlashes) { formatting.insert(.escapesSlashes) }
    return formatting
  }
}
