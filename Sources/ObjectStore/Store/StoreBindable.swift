#if canImport(SwiftUI)
  public import SwiftUI

  /// An object whose attributes a view edits: `$animal.name` is a binding that assigns in a transaction.
  ///
  ///     struct AnimalForm: View {
  ///       @StoreBindable var animal: Animal
  ///
  ///       var body: some View {
  ///         Form {
  ///           TextField("Name", text: $animal.name)
  ///           Toggle("Shy", isOn: $animal.isShy)
  ///         }
  ///       }
  ///     }
  ///
  ///     AnimalForm(animal: animal)
  ///
  /// SwiftUI's `@Bindable` would assign outside a write, which is misuse. Inside an open write, the binding assigns in that
  /// write; an equal value makes no version. The attributes of a deleted object keep their last values. If the write fails,
  /// the attribute keeps its value, and ``SwiftUI/EnvironmentValues/storeErrorHandler`` receives the error. An object that is
  /// not managed is assigned directly.
  @MainActor @propertyWrapper @dynamicMemberLookup
  public struct StoreBindable<Element: ObjectBase>: DynamicProperty {
    /// The object.
    public var wrappedValue: Element
    @Environment(\.storeErrorHandler) private var handleError

    public init(wrappedValue: Element) {
      self.wrappedValue = wrappedValue
    }

    public init(_ object: Element) {
      self.init(wrappedValue: object)
    }

    public var projectedValue: StoreBindable { self }

    /// The binding of an attribute.
    public subscript<Value>(
      dynamicMember keyPath: ReferenceWritableKeyPath<Element, Value>
    ) -> Binding<Value> {
      let attribute = AttributeBinding(object: wrappedValue, keyPath: keyPath)
      let handleError = handleError
      return Binding { @MainActor in
        attribute.value
      } set: { @MainActor value in
        do { try attribute.set(value) } catch { handleError(error) }
      }
    }
  }

  private struct StoreErrorHandlerKey: EnvironmentKey {
    static var defaultValue: @MainActor (any Error) -> Void { { _ in } }
  }

  extension EnvironmentValues {
    /// The closure that receives the errors of writes by ``StoreBindable`` and ``ObservedResults``. By default, they are
    /// ignored.
    ///
    ///     .environment(\.storeErrorHandler) { error in message = "\(error)" }
    public var storeErrorHandler: @MainActor (any Error) -> Void {
      get { self[StoreErrorHandlerKey.self] }
      set { self[StoreErrorHandlerKey.self] = newValue }
    }
  }
#endif
