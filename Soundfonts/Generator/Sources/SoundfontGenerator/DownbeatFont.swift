// SPDX-License-Identifier: Apache-2.0

/// The General MIDI font of the project.
public enum DownbeatFont {
  /// The whole file; the same bytes on every machine.
  public static func file() -> [UInt8] {
    let font = make()
    return FontWriter(samples: font.samples, presets: font.presets).file()
  }

  static func make() -> (samples: [Sample], presets: [Preset]) {
    let bank = SampleBank()
    var programs = ProgramList(bank)
    programs.addPianos()
    programs.addMallets()
    programs.addOrgans()
    programs.addGuitars()
    programs.addBasses()
    programs.addStrings()
    programs.addEnsembles()
    programs.addBrass()
    programs.addReeds()
    programs.addPipes()
    programs.addLeads()
    programs.addPads()
    programs.addSynthEffects()
    programs.addEthnic()
    programs.addPercussive()
    programs.addSoundEffects()
    programs.addVariations()
    programs.addDrumKits()
    return (bank.samples, programs.presets)
  }
}
