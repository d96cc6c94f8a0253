// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

/// An effect of a catalogue: its name, and what can be set.
public struct EffectEntry: Sendable {
  /// Something that is chosen when a unit is made, and does not move.
  public struct Option: Sendable {
    /// Its name, measure, range and default.
    public let parameter: Parameter
    /// What its values are multiples of; nil for any.
    public let step: Float?

    init(_ parameter: Parameter, step: Float? = nil) {
      self.parameter = parameter
      self.step = step
    }

    var range: String {
      let range = ParameterText.range(parameter)
      return step.map { "\(range) in steps of \(ParameterText.plain($0))" } ?? range
    }
  }

  typealias Maker = @Sendable (inout EffectSettings) throws(EffectError) -> any ParametricUnit

  /// The name, in lower case.
  public let name: String
  /// What it does, in a line.
  public let summary: String
  /// What can be set and moved, at 48 000 Hz.
  public let parameters: [Parameter]
  /// What can be chosen.
  public let options: [Option]
  /// Other names of parameters, each with the name in `parameters` or `options`, or `response`.
  package let aliases: [String: String]
  /// Whether `response` names a file.
  public let readsResponse: Bool
  let make: Maker

  init(
    _ name: String, _ summary: String, options: [Option] = [], aliases: [String: String] = [:],
    readsResponse: Bool = false, parameters: [Parameter], make: @escaping Maker
  ) {
    self.name = name
    self.summary = summary
    self.options = options
    self.readsResponse = readsResponse
    self.parameters = parameters.map(Self.named)
    self.aliases = aliases
    self.make = make
  }

  /// A parameter with a name that is one word.
  private static func named(_ parameter: Parameter) -> Parameter {
    Parameter(
      word(parameter.name), parameter.measure, parameter.range,
      initially: parameter.initialValue, rampSeconds: parameter.rampSeconds)
  }

  static func word(_ name: String) -> String {
    String(name.map { $0 == " " ? "-" : $0 })
  }

  /// Every name that can be set.
  var names: [String] {
    options.map(\.parameter.name) + parameters.map(\.name) + (readsResponse ? ["response"] : [])
      + aliases.keys.sorted()
  }
}
