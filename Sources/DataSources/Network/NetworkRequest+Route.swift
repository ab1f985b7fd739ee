extension NetworkRequest {
  /// The HTTP method and path of one type of query in a ``NetworkDataSource``.
  ///
  ///     [
  ///       .get(IdQuery<Int>.self) { "items/\($0.id)" },
  ///       .getAll(SearchTextQuery.self) { "items?text=\($0.text)" },
  ///       .put(VoidQuery.self, by: .post) { _ in "items" },
  ///       .put(ChangesQuery<Int, ItemEntity>.self, by: .patch) { "items/\($0.id)" },
  ///       .delete(IdQuery<Int>.self) { "items/\($0.id)" },
  ///     ]
  public struct Route: Sendable {
    let verb: DataSourceError.Verb
    let method: Method
    /// Returns the path of a query; nil for a query of another type.
    let path: @Sendable (any Query) throws -> NetworkPath?

    private init<Q: Query>(
      _ verb: DataSourceError.Verb, _ method: Method,
      _ path: @escaping @Sendable (Q) throws -> NetworkPath
    ) {
      self.verb = verb
      self.method = method
      self.path = { try ($0 as? Q).map(path) }
    }

    /// A route that gets one value.
    public static func get<Q: Query>(
      _ type: Q.Type, path: @escaping @Sendable (Q) throws -> NetworkPath
    ) -> Self {
      Self(.get, .get, path)
    }

    /// A route that gets a list.
    public static func getAll<Q: Query>(
      _ type: Q.Type, path: @escaping @Sendable (Q) throws -> NetworkPath
    ) -> Self {
      Self(.getAll, .get, path)
    }

    /// A route that sends one value.
    public static func put<Q: Query>(
      _ type: Q.Type, by method: Method = .put,
      path: @escaping @Sendable (Q) throws -> NetworkPath
    ) -> Self {
      Self(.put, method, path)
    }

    /// A route that sends a list.
    public static func putAll<Q: Query>(
      _ type: Q.Type, by method: Method = .put,
      path: @escaping @Sendable (Q) throws -> NetworkPath
    ) -> Self {
      Self(.putAll, method, path)
    }

    /// A route that deletes one value.
    public static func delete<Q: Query>(
      _ type: Q.Type, path: @escaping @Sendable (Q) throws -> NetworkPath
    ) -> Self {
      Self(.delete, .delete, path)
    }

    /// A route that deletes several values.
    public static func deleteAll<Q: Query>(
      _ type: Q.Type, path: @escaping @Sendable (Q) throws -> NetworkPath
    ) -> Self {
      Self(.deleteAll, .delete, path)
    }
  }
}
