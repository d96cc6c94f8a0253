// SPDX-License-Identifier: Apache-2.0
public import AudioProcessing
internal import MusicalTime

extension EffectLibrary {
  /// Creates a library of the LV2 effects in a world.
  ///
  /// The name of an effect is `lv2:`, followed by a name for `LV2World.plugin(named:)`.
  ///
  /// ```swift
  /// let catalogue = EffectCatalogue.standard.adding(.lv2 { try LV2World() })
  /// let unit = try catalogue.unit("lv2:mda-ambience mix=0.5", rate: .hertz48000)
  /// ```
  ///
  /// - Parameters:
  ///   - working: the thread for work that is not real-time safe; default `inLine`.
  ///   - world: returns the plug-ins; called each time that an `lv2:` name is used, not earlier.
  /// - Returns: the library, for `EffectCatalogue.adding`.
  public static func lv2(
    working: LV2Configuration.Working = .inLine,
    _ world: @escaping @Sendable () throws -> LV2World
  ) -> EffectLibrary {
    EffectLibrary(prefix: "lv2:") { name in
      let world = try world()
      return try effect(world.plugin(named: name), in: world, working)
    }
  }

  private static func effect(
    _ plugin: LV2Plugin, in world: LV2World, _ working: LV2Configuration.Working
  ) throws -> Effect {
    guard plugin.isEffect || plugin.refusal != nil else {
      throw LV2Error.notEffect(uri: plugin.uri)
    }
    if let refusal = plugin.refusal { throw LV2Error.refused(uri: plugin.uri, refusal) }
    return Effect(
      summary: plugin.name, parameters: plugin.controls.map { $0.parameter(hertz: 48_000) },
      aliases: plugin.controlNames
    ) { rate in
      try LV2Unit(
        plugin, in: world,
        configuration: LV2Configuration(rate: rate, buses: .stereo, working: working))
    }
  }
}

extension LV2Plugin {
  /// The symbols of the controls, by the names that texts can use for them.
  ///
  /// The names are the symbols and the display names, in lower case, with hyphens in place of
  /// spaces.
  public var controlNames: [String: String] {
    var names: [String: String] = [:]
    for control in controls { names[control.symbol.lowercased()] = control.symbol }
    for control in controls {
      let word = Self.words(control.name)
      if !word.isEmpty, names[word] == nil { names[word] = control.symbol }
    }
    return names
  }
}

extension UnitRegistry {
  /// Registers LV2 units, so that saved graphs can contain them.
  ///
  /// - Parameters:
  ///   - working: the thread for work that is not real-time safe; default `inLine`.
  ///   - world: returns the plug-ins; called each time that an LV2 unit is created, not earlier.
  public mutating func registerLV2(
    working: LV2Configuration.Working = .inLine, _ world: @escaping () throws -> LV2World
  ) {
    register("lv2") { reader throws(GraphError) in
      let uri = try reader.text("plugin") ?? ""
      let buses = try reader.word(
        "buses", of: LV2Configuration.Buses.allCases.map(\.rawValue), default: "own")
      let frames = try reader.count("framesPerRun", in: 1...64, default: 64)
      let state = try reader.text("state")
      guard frames & (frames - 1) == 0 else {
        throw reader.badValue("framesPerRun", "expected a power of two")
      }
      do {
        let world = try world()
        let plugin = try world.plugin(named: uri)
        let unit = try LV2Unit(
          plugin, in: world,
          // No tail is needed: an instrument reports when it is silent.
          configuration: LV2Configuration(
            rate: reader.rate, buses: LV2Configuration.Buses(rawValue: buses) ?? .own,
            working: working, framesPerRun: frames, tailSeconds: plugin.isInstrument ? 0 : 5),
          name: reader.name)
        if let state { try unit.restore(text: state) }
        return unit
      } catch { throw reader.badValue("plugin", "\(error)") }
    }
  }
}
