// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// Effects from another source, such as plug-ins, whose names begin with the library's prefix.
///
/// For example, `lv2:mda-Ambience mix=0.5` is an effect of the library `lv2:`. A library is
/// searched only when one of its effects is requested, so plug-ins are not loaded earlier.
public struct EffectLibrary: Sendable {
  /// A library's description of one effect.
  public struct Effect: Sendable {
    /// The summary of the effect, on one line.
    public let summary: String
    /// The parameters that can be set and changed while the unit renders.
    ///
    /// The ranges and defaults are those at a sample rate of 48 kHz.
    public let parameters: [Parameter]
    /// Other names under which parameters can be set, in lower case, each with the name of the
    /// parameter.
    public let aliases: [String: String]
    /// Creates the unit at a sample rate, with a stereo input and output.
    public let make: @Sendable (SampleRate) throws -> any ParametricUnit
    /// Loads a preset, such as `preset="Large hall"`, into a unit that `make` created; nil if the
    /// effect does not have presets.
    public let loadPreset: (@Sendable (any ParametricUnit, _ name: String) throws -> Void)?

    /// Creates a description of an effect.
    public init(
      summary: String, parameters: [Parameter], aliases: [String: String] = [:],
      make: @escaping @Sendable (SampleRate) throws -> any ParametricUnit,
      loadPreset: (@Sendable (any ParametricUnit, _ name: String) throws -> Void)? = nil
    ) {
      self.summary = summary
      self.parameters = parameters
      self.aliases = aliases
      self.make = make
      self.loadPreset = loadPreset
    }
  }

  /// The prefix of the effects' names, in lower case, such as `lv2:`.
  public let prefix: String
  /// Finds an effect by the part of its name that follows the prefix.
  ///
  /// The function throws if the effect does not exist. An `EffectError` that the library throws,
  /// here or when it creates a unit, is passed on unchanged. Other errors become
  /// `EffectError.unusable`.
  public let find: @Sendable (String) throws -> Effect

  /// Creates a library.
  public init(prefix: String, find: @escaping @Sendable (String) throws -> Effect) {
    self.prefix = prefix
    self.find = find
  }

  /// The catalogue entry of an effect, by its full name.
  func entry(_ name: String) throws(EffectError) -> EffectEntry {
    let effect: Effect
    do {
      effect = try find(String(name.dropFirst(prefix.count)))
    } catch let error as EffectError {
      throw error
    } catch {
      throw .unusable(effect: name, reason: "\(error)")
    }
    return EffectEntry(
      name, effect.summary, aliases: effect.aliases, parameters: effect.parameters
    ) { settings throws(EffectError) in
      // Settings apply after the preset, so they override its values.
      let preset = effect.loadPreset.flatMap { load in settings.takePreset().map { (load, $0) } }
      do {
        let unit = try effect.make(settings.rate)
        if let (load, preset) = preset { try load(unit, preset) }
        return unit
      } catch let error as EffectError {
        throw error
      } catch {
        throw .unusable(effect: name, reason: "\(error)")
      }
    }
  }
}
