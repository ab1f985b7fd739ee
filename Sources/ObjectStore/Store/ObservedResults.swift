#if canImport(SwiftUI)
  public import Foundation
  public import SwiftUI

  /// The objects that a view shows, from the store in its environment.
  ///
  /// The view is redrawn when the set of objects changes, or an attribute that the view has read changes.
  ///
  ///     struct AnimalList: View {
  ///       @ObservedResults({ $0.where { $0.legs > 2 }.sorted(by: \.name) }) var animals: Results<Animal>
  ///
  ///       var body: some View {
  ///         SwiftUI.List {
  ///           ForEach(animals) { Text($0.name) }
  ///             .onDelete(perform: $animals.delete)
  ///         }
  ///       }
  ///     }
  ///
  ///     AnimalList().environment(\.store, store)
  ///
  /// The results are a value: filter them in `body` by what the user searches for, and divide them into sections there.
  /// Using it in a view without a store in its environment is misuse.
  @MainActor @propertyWrapper
  public struct ObservedResults<Element: Object>: DynamicProperty {
    @Environment(\.store) private var store
    @Environment(\.storeErrorHandler) private var handleError
    private let query: (Results<Element>) -> Results<Element>

    /// - Parameter query: A closure that filters or sorts the objects of the class. By default, all objects are shown.
    public init(_ query: @escaping (Results<Element>) -> Results<Element> = { $0 }) {
      self.query = query
    }

    /// The current objects.
    public var wrappedValue: Results<Element> {
      guard let store else {
        misuse(
          "@ObservedResults: the view's environment has no store; set one with .environment(\\.store, store)"
        )
      }
      return query(store.objects(Element.self))
    }

    public var projectedValue: ObservedResults { self }

    /// Deletes the objects at these offsets in a transaction, for `onDelete(perform:)`. If the write fails, they stay, and
    /// ``SwiftUI/EnvironmentValues/storeErrorHandler`` receives the error.
    public func delete(atOffsets offsets: IndexSet) {
      guard let store else { return }
      let objects = wrappedValue
      let deleted = offsets.filter(objects.indices.contains).map { objects[$0] }
      do {
        try store.write { store.delete(deleted) }
      } catch {
        handleError(error)
      }
    }
  }

  private struct StoreKey: EnvironmentKey {
    static var defaultValue: Store? { nil }
  }

  extension EnvironmentValues {
    /// The store that ``ObservedResults`` queries, or nil if none was set.
    public var store: Store? {
      get { self[StoreKey.self] }
      set { self[StoreKey.self] = newValue }
    }
  }
#endif
