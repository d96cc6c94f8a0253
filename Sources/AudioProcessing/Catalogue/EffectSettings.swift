// SPDX-License-Identifier: Apache-2.0
internal import JSONText
internal import MusicalTime

/// The settings that a text gives for an effect, used while its unit is created.
struct EffectSettings {
  let rate: SampleRate
  let tempo: Tempo
  private let entry: EffectEntry
  private let response: EffectCatalogue.ResponseReader?
  /// The settings that are not used yet.
  private var values: [EffectText.Value]
  private var options: [String: Float] = [:]

  init(
    _ entry: EffectEntry, _ words: EffectText, rate: SampleRate, tempo: Tempo,
    response: EffectCatalogue.ResponseReader?
  ) {
    self.entry = entry
    self.rate = rate
    self.tempo = tempo
    self.response = response
    values = words.values
  }

  /// Reads the values of the options; an option that is not set has its default.
  mutating func readOptions() throws(EffectError) {
    for option in entry.options {
      let parameter = option.parameter
      guard let value = take(parameter.name) else {
        options[parameter.name] = parameter.initialValue
        continue
      }
      let number = try number(value, parameter, range: option.range)
      if let step = option.step, number.remainder(dividingBy: step) != 0 {
        throw outOfRange(value, parameter, option.range)
      }
      options[parameter.name] = number
    }
  }

  /// The value of an option.
  func option(_ name: String) -> Float { options[name] ?? 0 }

  /// Removes and returns the name of the preset; nil if the text does not set one.
  mutating func takePreset() -> String? { take("preset")?.text }

  /// Reads the impulse response that the setting `response` names.
  mutating func readResponse() throws(EffectError) -> [[Float]] {
    guard let value = take("response") else {
      throw .missing(effect: entry.name, parameter: "response")
    }
    guard let response else {
      throw unreadable(value, "files cannot be read here")
    }
    do {
      let channels = try response(value.text, rate)
      guard let reason = Self.fault(channels) else { return channels }
      throw unreadable(value, reason)
    } catch let error as EffectError {
      throw error
    } catch {
      throw unreadable(value, "\(error)")
    }
  }

  private static func fault(_ channels: [[Float]]) -> String? {
    guard [1, 2, 4].contains(channels.count) else {
      return "\(channels.count) channels (an impulse response must have 1, 2 or 4)"
    }
    let length = channels[0].count
    guard (1...1 << 24).contains(length), channels.allSatisfy({ $0.count == length }) else {
      return "\(length) samples (an impulse response must have 1 to 16 777 216)"
    }
    guard channels.allSatisfy({ $0.allSatisfy(\.isFinite) }) else {
      return "a sample is NaN or infinite"
    }
    return nil
  }

  /// Sets the unit's parameters immediately, without ramps.
  func apply(to unit: any ParametricUnit) throws(EffectError) {
    let set = unit.parameters
    var done: Set<String> = []
    for value in values {
      let name = entry.aliases[value.name] ?? value.name
      guard done.insert(name).inserted else {
        throw .setTwice(effect: entry.name, value.name)
      }
      guard let index = set.parameters.firstIndex(where: { EffectEntry.word($0.name) == name })
      else {
        let names = entry.names
        throw .unknownParameter(
          effect: entry.name, value.name, near: NearestNames.of(value.name, among: names),
          all: names)
      }
      let parameter = set.parameters[index]
      let number = try number(value, parameter, range: ParameterText.range(parameter))
      if let delay = unit as? DelayUnit, name == "time" {
        delay.quarterNotes = ParameterText.quarterNotes(value.text)
      }
      set.hold(index, to: number, over: 0)
    }
  }

  private func number(
    _ value: EffectText.Value, _ parameter: Parameter, range: String
  ) throws(EffectError) -> Float {
    guard let number = ParameterText.value(value.text, parameter.measure, tempo: tempo) else {
      throw .noValue(effect: entry.name, parameter: value.name, value.text, range: range)
    }
    guard parameter.range.contains(number) else { throw outOfRange(value, parameter, range) }
    return number
  }

  private func outOfRange(
    _ value: EffectText.Value, _ parameter: Parameter, _ range: String
  ) -> EffectError {
    .outOfRange(effect: entry.name, parameter: value.name, value.text, range: range)
  }

  private func unreadable(_ value: EffectText.Value, _ reason: String) -> EffectError {
    .unreadable(effect: entry.name, path: value.text, reason: reason)
  }

  /// Removes and returns the value that is set under a name or one of its aliases.
  private mutating func take(_ name: String) -> EffectText.Value? {
    guard let place = values.firstIndex(where: { (entry.aliases[$0.name] ?? $0.name) == name })
    else { return nil }
    return values.remove(at: place)
  }
}
