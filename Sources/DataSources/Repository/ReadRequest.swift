/// A query with the closures by which a repository gets its result: one value or a list.
struct ReadRequest<Response: Sendable>: Sendable {
  let query: any Query
  let lookup: Lookup
  let flights: SingleFlight<FlightKey, FetchedResponse<Response>>
  /// Gets the response of the main source.
  let fetch: @Sendable () async throws -> Response
  /// Gets the result of a query from the cache.
  let readCache: @Sendable (any Query) async throws -> Response
  /// Returns the state of the cache before the request, which `store` receives.
  var cacheState: @Sendable () async -> (any Sendable)? = { nil }
  /// Stores the main source's response in the cache.
  let store: @Sendable (Response, _ state: (any Sendable)?) async throws -> KeptResponse<Response>
  let isValid: @Sendable (Response, Duration?) async -> Bool
  let count: @Sendable (Response) -> Int
}
