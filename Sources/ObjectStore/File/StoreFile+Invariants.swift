#if DEBUG || STORE_INVARIANTS
  extension StoreFile {
    func hasLinks(to table: String, outside tables: ContiguousArray<Table>) -> Bool {
      let classes = lock.withLock { catalog.classes }
      return classes.values.contains { entry in
        let layout = tables.first { $0.layout.name == entry.name }?.layout
        return entry.attributes.contains { attribute in
          attribute.target == table && !(layout?.hasLinks(named: attribute.name) ?? false)
        }
      }
    }
  }

  extension TableLayout {
    fileprivate func hasLinks(named name: String) -> Bool {
      columns[firstAttribute...].indices.contains { columns[$0].hasLinks && shortName($0) == name }
    }
  }
#endif
