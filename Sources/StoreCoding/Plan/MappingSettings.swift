import ObjectStore

/// The parts of a configuration that determine the mapping of classes: all that PlanBuilder, CodingField and EncodeNode
/// read.
struct MappingSettings {
  private let dates: [DateFormat]
  /// Retained, because another rule could have the same address later.
  private let keys: CodingConfiguration.KeyStyle.Rule
  private let nulls: AttributePolicy.Nulls
  private let mismatches: AttributePolicy.Mismatches
  private let formatting: Int
  private let flags: [Bool]

  init(_ configuration: CodingConfiguration) {
    dates = configuration.dates
    keys = configuration.keys.rule
    nulls = configuration.nulls
    mismatches = configuration.mismatches
    formatting = configuration.outputFormatting.rawValue
    flags = [
      configuration.isFlexible, configuration.emptyAsNil, configuration.rejectsForeignObjects,
      configuration.sortsAsSerialization,
    ]
  }

  /// True if both lead to the same mappings. Texts are compared by their bytes.
  func isSame(as other: MappingSettings) -> Bool {
    keys === other.keys && nulls == other.nulls && mismatches == other.mismatches
      && formatting == other.formatting && flags == other.flags && dates == other.dates
      && zip(dates, other.dates).allSatisfy { $0.name.hasSameBytes(as: $1.name) }
  }
}
