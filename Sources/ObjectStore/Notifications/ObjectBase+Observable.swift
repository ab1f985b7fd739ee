public import Observation

// Reads inside `withObservationTracking` are tracked; see <doc:Notifications>.

extension ObjectBase: Observable {}
extension Results: Observable {}
