#if canImport(SwiftUI)
  public import SwiftUI

  /// The objects a view shows, from the store of its environment; the view is drawn again when others are
  /// found, or what it read of them differs.
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
  /// A view without a store in its environment is misuse.
  @MainActor @propertyWrapper
  public struct ObservedResults<Element: Object>: DynamicProperty {
    @Environment(\.store) private var store
    private let query: (Results<Element>) -> Results<Element>

    /// - Parameter query: what is wanted of all objects of the class, which it is given; all without it.
    public init(_ query: @escaping (Results<Element>) -> Results<Element> = { $0 }) {
      self.query = query
    }

    /// The objects as they are now.
    public var wrappedValue: Results<Element> {
      guard let store else {
        misuse(
          "@ObservedResults: the view's environment has no store; give it one by .environment(\\.store, store)"
        )
      }
      return query(store.objects(Element.self))
    }
  }

  private struct StoreKey: EnvironmentKey {
    static var defaultValue: Store? { nil }
  }

  extension EnvironmentValues {
    /// The store that ``ObservedResults`` asks; nil where none was set.
    public var store: Store? {
      get { self[StoreKey.self] }
      set { self[StoreKey.self] = newValue }
    }
  }
#endif
