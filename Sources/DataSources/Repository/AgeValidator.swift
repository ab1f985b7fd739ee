/// A validator that checks the age: a response, including an empty list, is valid for some time after it was requested.
public struct AgeValidator<Value: Sendable>: Validator {
  private let maximum: Duration

  /// Creates a validator.
  /// - Parameter maximum: The age at which a response ceases to be valid.
  public init(_ maximum: Duration = .seconds(300)) {
    self.maximum = maximum
  }

  public func isValid(_ value: Value, age: Duration?) -> Bool { isValid(age) }

  public func isValid(_ values: [Value], age: Duration?) -> Bool { isValid(age) }

  private func isValid(_ age: Duration?) -> Bool {
    age.map { $0 < maximum } ?? false
  }
}
