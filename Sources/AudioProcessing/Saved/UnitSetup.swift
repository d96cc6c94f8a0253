// SPDX-License-Identifier: Apache-2.0

/// The kind and settings of a unit in a saved graph.
///
/// The name and the parameter values are stored separately.
public struct UnitSetup: Hashable, Sendable {
  /// The value of a setting.
  public enum Value: Hashable, Sendable {
    /// A whole number.
    case count(Int)
    /// Any number.
    case number(Double)
    /// A string.
    case word(String)
    /// A list of whole numbers.
    case counts([Int])
    /// A list of strings.
    case words([String])
  }

  /// The kind of unit, by which a `UnitRegistry` finds the function that creates it.
  public let kind: String
  /// The settings, by name.
  public let values: [String: Value]

  /// Creates a setup.
  public init(_ kind: String, _ values: [String: Value] = [:]) {
    self.kind = kind
    self.values = values
  }
}

/// A unit that can be part of a saved graph.
public protocol SavableUnit: ProcessingUnit {
  /// The settings from which a saved graph restores the unit; nil if the unit cannot be saved.
  var setup: UnitSetup? { get }
}
