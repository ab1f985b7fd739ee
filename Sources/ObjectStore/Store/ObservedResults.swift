#if canImport(SwiftUI)
  public import SwiftUI

  /// The objects that a view shows, from the store in its environment.
  ///
  /// The view is redrawn when the set of objects changes, or an attribute that the view has read changes.
  ///
  ///     struct AnimalList: View {
  ///       @ObservedResults({ $0.where { $0.legs > 2 }.sorted(by: \.name) }) var animals: Results<Animal>
  ///
  ///       var body: some View {
  ///         List(animals) { Text($0.name) }
  ///       }
  ///     }
  ///
  ///     AnimalList().environment(\.store, store)
  ///
  /// Using it in a view without a store in its environment is misuse.
  @MainActor @propertyWrapper
  public struct ObservedResults<Element: Object>: DynamicProperty {
    @Environment(\.store) private var store
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
