/// An attribute with a value for a partial update, usually an enum with a case for each attribute.
///
///     enum PropertyValue: PropertyValueType {
///       case identifier(Int)
///       case realName(String)
///
///       var propertyValuePair: PropertyValuePair {
///         switch self {
///         case .identifier(let identifier): ("identifier", identifier)
///         case .realName(let name): ("realName", name)
///         }
///       }
///     }
public protocol PropertyValueType {
  /// The name of the attribute in the managed class, and its value.
  var propertyValuePair: PropertyValuePair { get }
}
