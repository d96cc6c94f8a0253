// SPDX-License-Identifier: Apache-2.0

/// What makes a unit of its kind again, beside its name and the values of its parameters.
public struct UnitSetup: Hashable, Sendable {
  /// A value of a setup.
  public enum Value: Hashable, Sendable {
    /// A whole number.
    case count(Int)
    /// Any number.
    case number(Double)
    /// A word.
    case word(String)
    /// Whole numbers.
    case counts([Int])
    /// Words.
    case words([String])
  }

  /// The kind, by which a registry finds who makes such units.
  public let kind: String
  /// The values by their names.
  public let values: [String: Value]

  /// Describes a setup.
  public init(_ kind: String, _ values: [String: Value] = [:]) {
    self.kind = kind
    self.values = values
  }
}

/// A unit that can be part of a saved graph.
public protocol SavableUnit: ProcessingUnit {
  /// The settings from which a saved graph restores it; nil if it cannot be saved.
  var setup: UnitSetup? { get }
}
