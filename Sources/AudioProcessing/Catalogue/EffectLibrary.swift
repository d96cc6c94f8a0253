// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// Effects from elsewhere, such as plug-ins, which a catalogue finds by a name with a prefix.
///
/// `lv2:mda-Ambience mix=0.5` is looked up only when somebody asks for it, so that nothing is loaded
/// until then.
public struct EffectLibrary: Sendable {
  /// What such a library says of one of its effects.
  public struct Effect: Sendable {
    /// What it does, in a line.
    public let summary: String
    /// What can be set and moved, at 48 000 Hz.
    public let parameters: [Parameter]
    /// Other names of parameters, in lower case, and the names that are meant.
    public let aliases: [String: String]
    /// Makes the unit, of one stereo bus.
    public let make: @Sendable (SampleRate) throws -> any ParametricUnit
    /// Brings a preset about in a unit that `make` made, by its name: `preset="Large hall"`; nil where
    /// there are none.
    public let loadPreset: (@Sendable (any ParametricUnit, _ name: String) throws -> Void)?

    /// Describes an effect.
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

  /// What the names of its effects begin with, in lower case: `lv2:`.
  public let prefix: String
  /// Finds an effect by the rest of the name.
  ///
  /// It throws, in the words of the library, where there is no such effect. An `EffectError` of its own
  /// is passed on as it is, here and where a unit is made.
  public let find: @Sendable (String) throws -> Effect

  /// Describes a library.
  public init(prefix: String, find: @escaping @Sendable (String) throws -> Effect) {
    self.prefix = prefix
    self.find = find
  }

  /// The effect of a whole name, as a catalogue's entry.
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
      // What is set beside a preset is set over it.
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
