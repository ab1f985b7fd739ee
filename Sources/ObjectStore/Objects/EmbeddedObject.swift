/// The base class of objects that belong to another object and have no primary key.
///
/// An embedded object is stored with its owner, deleted with it, and replaced as a whole. Assigning an
/// embedded object that already has an owner copies it.
nonisolated open class EmbeddedObject: ObjectBase {}
