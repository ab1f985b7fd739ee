/// A repository for reading, writing and deleting.
public typealias Repository = GetRepository & PutRepository & DeleteRepository
