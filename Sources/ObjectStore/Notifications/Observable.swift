public import Observation

// What is read inside `withObservationTracking` is told when it differs: see <doc:Notifications>.

extension ObjectBase: Observable {}
extension Results: Observable {}
