// Declarations of SwiftUI that the package and its example use, as Apple's documentation lists them, so that their code is
// type-checked where there is no SwiftUI. Nothing of this runs.

public import Foundation

// MARK: - Views

@MainActor @preconcurrency public protocol View {
  associatedtype Body: View
  @ViewBuilder var body: Body { get }
}

extension Never: View {
  public var body: Never { return fatalError() }
}

/// A view without a body of its own.
public protocol PrimitiveView: View where Body == Never {}

extension PrimitiveView {
  public var body: Never { return fatalError() }
}

@resultBuilder public struct ViewBuilder {
  public static func buildBlock<each Content: View>(
    _ content: repeat each Content
  ) -> TupleView<(repeat each Content)> { TupleView() }

  public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
  public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
  public static func buildEither<A: View, B: View>(first: A) -> Either<A, B> { Either() }
  public static func buildEither<A: View, B: View>(second: B) -> Either<A, B> { Either() }
}

public struct TupleView<Content>: PrimitiveView {}
public struct Either<A, B>: PrimitiveView {}
extension Optional: View where Wrapped: View {
  public var body: Never { return fatalError() }
}

public struct Text: PrimitiveView {
  public init(_ content: some StringProtocol) {}
}

public struct Form<Content: View>: PrimitiveView {
  public init(@ViewBuilder content: () -> Content) {}
}

public struct List<Content: View>: PrimitiveView {
  public init(@ViewBuilder content: () -> Content) {}
}

public protocol DynamicViewContent: View {}

public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content: View>: PrimitiveView {
  public init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content)
  where Data.Element: Identifiable, ID == Data.Element.ID {}
}

extension ForEach: DynamicViewContent {}

extension DynamicViewContent {
  public func onDelete(perform action: ((IndexSet) -> Void)?) -> some DynamicViewContent { self }
}

public struct Section<Parent: View, Content: View>: PrimitiveView {
  public init(_ title: some StringProtocol, @ViewBuilder content: () -> Content)
  where Parent == Text {}
}

public struct NavigationStack<Content: View>: PrimitiveView {
  public init(@ViewBuilder root: () -> Content) {}
}

public struct NavigationLink<Label: View, Destination: View>: PrimitiveView {
  public init(
    _ title: some StringProtocol, @ViewBuilder destination: () -> Destination
  ) where Label == Text {}
}

public struct TextField<Label: View>: PrimitiveView {
  public init(_ title: some StringProtocol, text: Binding<String>) where Label == Text {}
}

public struct Toggle<Label: View>: PrimitiveView {
  public init(_ title: some StringProtocol, isOn: Binding<Bool>) where Label == Text {}
}

public struct Stepper<Label: View>: PrimitiveView {
  public init<V: Strideable>(
    _ title: some StringProtocol, value: Binding<V>, step: V.Stride = 1
  ) where Label == Text {}
}

extension View {
  public func searchable(text: Binding<String>) -> some View { self }
  public func environment<V>(
    _ keyPath: WritableKeyPath<EnvironmentValues, V>, _ value: V
  ) -> some View { self }
}

// MARK: - State

public protocol DynamicProperty {}

@propertyWrapper public struct Environment<Value>: DynamicProperty {
  public init(_ keyPath: KeyPath<EnvironmentValues, Value>) {}
  public var wrappedValue: Value { fatalError() }
}

public protocol EnvironmentKey {
  associatedtype Value
  static var defaultValue: Value { get }
}

public struct EnvironmentValues {
  public subscript<K: EnvironmentKey>(key: K.Type) -> K.Value {
    get { K.defaultValue }
    set {}
  }
}

@propertyWrapper public struct Binding<Value> {
  @preconcurrency public init(
    get: @escaping @isolated(any) @Sendable () -> Value,
    set: @escaping @isolated(any) @Sendable (Value) -> Void
  ) {}
  public var wrappedValue: Value {
    get { fatalError() }
    nonmutating set {}
  }
  public var projectedValue: Binding<Value> { self }
}

@propertyWrapper public struct State<Value>: DynamicProperty {
  public init(wrappedValue: Value) {}
  public var wrappedValue: Value {
    get { fatalError() }
    nonmutating set {}
  }
  public var projectedValue: Binding<Value> { fatalError() }
}

// MARK: - Apps

@MainActor @preconcurrency public protocol Scene {}

@MainActor @preconcurrency public protocol App {
  associatedtype Body: Scene
  var body: Body { get }
  init()
}

public struct WindowGroup<Content: View>: Scene {
  public init(@ViewBuilder content: () -> Content) {}
}

extension URL {
  /// Foundation has it on Apple platforms.
  public static var documentsDirectory: URL { URL(filePath: "") }
}
