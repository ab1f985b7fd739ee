// The app of the article about SwiftUI, type-checked by `.ci/swiftui`.

import Foundation
import ObjectStore
import SwiftUI

final class Animal: Object, ObjectKeyIdentifiable {
  @Persisted(primaryKey: true) var id = UUID()
  @Persisted var name = ""
  @Persisted var kind = "dog"
  @Persisted var legs = 4
  @Persisted var isShy = false
}

struct AnimalList: View {
  @ObservedResults({ $0.sorted(by: \.name) }) var animals: Results<Animal>
  @State private var search = ""

  private var found: Results<Animal> {
    search.isEmpty ? animals : animals.where { $0.name.contains(search, options: .caseInsensitive) }
  }

  var body: some View {
    SwiftUI.List {
      ForEach(found.sectioned(by: \.kind)) { section in
        Section(section.key) {
          ForEach(section) { animal in
            NavigationLink(animal.name) { AnimalForm(animal: animal) }
          }
        }
      }
    }
    .searchable(text: $search)
  }
}

struct AnimalForm: View {
  @StoreBindable var animal: Animal

  var body: some View {
    Form {
      TextField("Name", text: $animal.name)
      Stepper("\(animal.legs) legs", value: $animal.legs)
      Toggle("Shy", isOn: $animal.isShy)
    }
  }
}

struct AnimalNames: View {
  @ObservedResults var animals: Results<Animal>

  var body: some View {
    SwiftUI.List {
      ForEach(animals) { animal in Text(animal.name) }
        .onDelete(perform: $animals.delete)
    }
  }
}

struct AnimalApp: App {
  @State private var store = try? Store(
    configuration: .file(.documentsDirectory.appending(path: "animals.store")))
  @State private var message = ""

  var body: some Scene {
    WindowGroup {
      if let store {
        NavigationStack { AnimalList() }
          .environment(\.store, store)
          .environment(\.storeErrorHandler) { error in message = "\(error)" }
      } else {
        Text("The animals cannot be opened.")
      }
    }
  }
}

@MainActor func preview() throws -> some View {
  let store = try Store()
  try store.write { try store.create(Animal.self, value: ["name": "Bella"]) }
  return AnimalList().environment(\.store, store)
}
