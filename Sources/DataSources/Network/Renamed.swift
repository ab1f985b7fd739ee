// Compiler advice for names of earlier versions. Nothing in this file can be used.

@available(*, unavailable, renamed: "NetworkResponse.Headers")
public typealias HeaderFields = NetworkResponse.Headers

@available(*, unavailable, renamed: "NetworkResponse.Stream")
public typealias StreamedResponse = NetworkResponse.Stream

@available(*, unavailable, renamed: "CacheRepository.CreatedKeys")
public enum CreatedKeys { case final, temporary }

@available(*, unavailable, renamed: "NetworkDataSource.Coding")
public typealias NetworkCoding<Value: Sendable> = NetworkDataSource<Value>.Coding

@available(*, unavailable, renamed: "NetworkRequest.Route")
public typealias NetworkRoute = NetworkRequest.Route
