public import Foundation

// The conversion of scalars to update values, dispatched by type instead of by casts.

extension Bool {
  @inlinable public var _updateValue: UpdateValue { .bool(self) }
}

extension _IntegerScalar {
  @inlinable
  public var _updateValue: UpdateValue {
    Int64(exactly: self).map { .int($0) } ?? .uint(UInt64(self))
  }
}

extension Double {
  @inlinable public var _updateValue: UpdateValue { .double(self) }
}

extension Float {
  @inlinable public var _updateValue: UpdateValue { .double(Double(self)) }
}

extension String {
  @inlinable public var _updateValue: UpdateValue { .string(self) }
}

extension Date {
  @inlinable public var _updateValue: UpdateValue { .date(self) }
}

extension Data {
  @inlinable public var _updateValue: UpdateValue { .data(self) }
}

extension UUID {
  @inlinable public var _updateValue: UpdateValue { .uuid(self) }
}

extension URL {
  public var _updateValue: UpdateValue { .string(absoluteString) }
}

extension Decimal {
  @inlinable public var _updateValue: UpdateValue { .decimal(self) }
}

extension JSONValue {
  @inlinable public var _updateValue: UpdateValue { .json(self) }
}

extension PersistableEnum {
  @inlinable public var _updateValue: UpdateValue { rawValue._updateValue }
}

extension CustomPersistable {
  @inlinable public var _updateValue: UpdateValue { persistableValue._updateValue }
}
