// Mirrors for debuggers and `dump`: the contents of collections, without engine internals.

extension List: CustomReflectable {
  /// The elements.
  public var customMirror: Mirror {
    Mirror(self, unlabeledChildren: self, displayStyle: .collection)
  }
}

extension MutableSet: CustomReflectable {
  /// The elements.
  public var customMirror: Mirror {
    Mirror(self, unlabeledChildren: Array(self), displayStyle: .set)
  }
}

extension Map: CustomReflectable {
  /// The key-value pairs.
  public var customMirror: Mirror {
    Mirror(self, unlabeledChildren: Array(self), displayStyle: .dictionary)
  }
}

extension Results: CustomReflectable {
  /// The objects.
  public var customMirror: Mirror {
    Mirror(self, unlabeledChildren: self, displayStyle: .collection)
  }
}

extension StoreHandle: CustomReflectable {
  @usableFromInline
  var customMirror: Mirror { Mirror(self, children: ["version": version.number]) }
}
