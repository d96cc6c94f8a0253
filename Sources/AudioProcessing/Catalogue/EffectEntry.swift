// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

/// One effect of a catalogue: its name, its summary and its settings.
public struct EffectEntry: Sendable {
  /// A setting that is fixed when the unit is created.
  public struct Option: Sendable {
    /// The option's name, measure, range and default.
    public let parameter: Parameter
    /// The step of the option's values, which must be multiples of it; nil allows any value in the
    /// range.
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
  /// The summary of the effect, on one line.
  public let summary: String
  /// The parameters that can be set and changed while the unit renders.
  ///
  /// The ranges and defaults are those at a sample rate of 48 kHz.
  public let parameters: [Parameter]
  /// The settings that are chosen when the unit is created.
  public let options: [Option]
  /// Aliases, each with a name in `parameters` or `options`, or with `response`.
  package let aliases: [String: String]
  /// True if the effect has the setting `response`, which names the file of an impulse response.
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

  /// Returns the parameter with a name that is one word.
  private static func named(_ parameter: Parameter) -> Parameter {
    Parameter(
      word(parameter.name), parameter.measure, parameter.range,
      initially: parameter.initialValue, rampSeconds: parameter.rampSeconds)
  }

  static func word(_ name: String) -> String {
    String(name.map { $0 == " " ? "-" : $0 })
  }

  /// All names that a text can set, with aliases.
  var names: [String] {
    options.map(\.parameter.name) + parameters.map(\.name) + (readsResponse ? ["response"] : [])
      + aliases.keys.sorted()
  }
}
