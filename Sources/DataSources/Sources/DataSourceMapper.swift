/// A source that maps the values of another source.
///
///     let entities = DataSourceMapper(
///       dataSource: files, toInMapper: EntityToDataMapper(), toOutMapper: DataToEntityMapper())
///
/// The values of ``ObjectQuery``, ``ObjectsQuery`` and ``ChangesQuery`` are mapped, too; all other queries are passed on
/// unchanged. The mapper supports the same verbs as its source, can be observed if its source can, and is a
/// ``CacheDataSource`` if its source is one.
public actor DataSourceMapper<Source: Sendable, In: Sendable, Out: Sendable> {
  public typealias Value = Out

  private let source: Source
  private let toIn: Mapper<Out, In>
  private let toOut: Mapper<In, Out>

  /// Creates a mapper.
  /// - Parameters:
  ///   - dataSource: The underlying source.
  ///   - toInMapper: The conversion to the source's values.
  ///   - toOutMapper: The conversion from the source's values.
  public init(
    dataSource: Source, toInMapper: sending Mapper<Out, In>, toOutMapper: sending Mapper<In, Out>
  ) {
    source = dataSource
    toIn = toInMapper
    toOut = toOutMapper
  }

  private func mapped(_ query: any Query) throws -> any Query {
    switch query {
    case let query as ObjectQuery<Out>: ObjectQuery(try toIn.map(query.value))
    case let query as ObjectsQuery<Out>: ObjectsQuery(try toIn.map(query.values))
    case let query as any PreviousValueQuery:
      try (query.previousValue as? Out).map { query.replacingPrevious(with: try toIn.map($0)) }
        ?? query
    default: query
    }
  }
}

extension DataSourceMapper: GetDataSource where Source: GetDataSource<In> {
  public func get(_ query: some Query) async throws -> Out {
    try toOut.map(await source.get(mapped(query)))
  }

  public func getAll(_ query: some Query) async throws -> [Out] {
    try toOut.map(await source.getAll(mapped(query)))
  }
}

extension DataSourceMapper: PutDataSource where Source: PutDataSource<In> {
  @discardableResult
  public func put(_ value: Out, in query: some Query) async throws -> Out {
    try toOut.map(await source.put(toIn.map(value), in: mapped(query)))
  }

  @discardableResult
  public func putAll(_ values: [Out], in query: some Query) async throws -> [Out] {
    try toOut.map(await source.putAll(toIn.map(values), in: mapped(query)))
  }
}

extension DataSourceMapper: DeleteDataSource where Source: DeleteDataSource {
  public func delete(_ query: some Query) async throws {
    try await source.delete(mapped(query))
  }

  public func deleteAll(_ query: some Query) async throws {
    try await source.deleteAll(mapped(query))
  }
}

extension DataSourceMapper: ObserveDataSource where Source: ObserveDataSource<In> {
  /// The values of a query, now and after each change. An error of the mapper ends the stream.
  public nonisolated func observe(_ query: some Query) -> AsyncThrowingStream<[Out], any Error> {
    .latest { yield in
      for try await values in self.source.observe(try await self.mapped(query)) {
        yield(try await self.outValues(values))
      }
    }
  }

  private func outValues(_ values: [In]) throws -> [Out] { try toOut.map(values) }
}

extension DataSourceMapper: CacheDataSource where Source: CacheDataSource<In> {
  public nonisolated var isNested: Bool { source.isNested }

  public nonisolated func check(_ verb: DataSourceError.Verb, _ query: some Query) throws {
    try source.check(verb, query)
  }

  public func keep(_ value: Out, answering query: some Query) async throws -> KeptResponse<Out> {
    let kept = try await source.keep(toIn.map(value), answering: mapped(query))
    return KeptResponse(try toOut.map(kept.response), at: location(kept.query, of: query))
  }

  public func keepAll(
    _ values: [Out], answering query: some Query
  ) async throws -> KeptResponse<[Out]> {
    try await keepAll(values, answering: query, since: nil)
  }

  public func state(beforeRequesting query: some Query) async -> (any Sendable)? {
    guard let query = try? mapped(query) else { return nil }
    return await source.state(beforeRequesting: query)
  }

  public func keepAll(
    _ values: [Out], answering query: some Query, since state: (any Sendable)?
  ) async throws -> KeptResponse<[Out]> {
    let kept = try await source.keepAll(
      toIn.map(values), answering: mapped(query), since: state)
    return KeptResponse(try toOut.map(kept.response), at: location(kept.query, of: query))
  }

  public func keys(of values: [Out], in query: some Query) async throws -> [String]? {
    try await source.keys(of: toIn.map(values), in: mapped(query))
  }

  /// The query with which this source finds the values that the underlying source finds with `found`. A query of a
  /// value is mapped when it is used, so it is returned unmapped.
  private func location(_ found: (any Query)?, of query: any Query) -> (any Query)? {
    query is ObjectQuery<Out> ? found.map { _ in query } : found
  }
}
