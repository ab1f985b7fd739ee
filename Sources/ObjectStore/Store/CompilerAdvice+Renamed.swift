// Compiler advice for names of earlier versions. Nothing in this file can be used.

@available(*, unavailable, renamed: "Edit.Conflict")
public typealias EditConflict = Edit.Conflict

@available(*, unavailable, renamed: "Edit.Choice")
public typealias ConflictChoice = Edit.Choice

@available(*, unavailable, renamed: "Edit.State")
public typealias EditState = Edit.State

@available(*, unavailable, renamed: "Edit.Outcome")
public typealias UploadOutcome = Edit.Outcome

@available(*, unavailable, renamed: "Edit.Summary")
public typealias UploadSummary = Edit.Summary

@available(*, unavailable, renamed: "Edit.Rejection")
public typealias Rejection = Edit.Rejection

@available(*, unavailable, renamed: "PlannedChanges.Change")
public typealias PlannedChange = PlannedChanges.Change

@available(*, unavailable, renamed: "PlannedChanges.Stale")
public typealias StalePlan = PlannedChanges.Stale

@available(*, unavailable, renamed: "CachePolicy.Rule")
public typealias EvictionRule = CachePolicy.Rule

@available(*, unavailable, renamed: "CachePolicy.Report")
public typealias EvictionReport = CachePolicy.Report

@available(*, unavailable, renamed: "AttributePolicy.Nulls")
public typealias NullPolicy = AttributePolicy.Nulls

@available(*, unavailable, renamed: "AttributePolicy.Mismatches")
public typealias MismatchPolicy = AttributePolicy.Mismatches

@available(*, unavailable, renamed: "AttributePolicy.RawValues")
public typealias RawPolicy = AttributePolicy.RawValues

@available(*, unavailable, renamed: "AttributePolicy.Base64")
public typealias Base64Form = AttributePolicy.Base64

@available(*, unavailable, renamed: "StoreConfiguration.Durability")
public typealias Durability = StoreConfiguration.Durability

@available(*, unavailable, renamed: "StoreConfiguration.ExternalEdits")
public typealias ExternalEdits = StoreConfiguration.ExternalEdits

@available(*, unavailable, renamed: "Store.Changes")
public typealias StoreChanges = Store.Changes

@available(*, unavailable, renamed: "JSONValue.Path")
public typealias JSONQueryPath = JSONValue.Path
