// SPDX-License-Identifier: Apache-2.0
import AVFAudio
import Downbeat
import Foundation
import Testing

@Suite struct AVAudioUnitInstrumentTests {
  private static let hasSoundFont: Bool = {
    let process = ProcessInfo.processInfo
    return SoundFontDiscovery(
      environment: process.environment, executable: process.arguments.first ?? ""
    ).find() != nil
  }()

  private func instrument() -> AVAudioUnitMIDIInstrument {
    AVAudioUnitMIDIInstrument(
      audioComponentDescription: AudioComponentDescription(
        componentType: kAudioUnitType_MusicDevice, componentSubType: kAudioUnitSubType_MIDISynth,
        componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 0,
        componentFlagsMask: 0))
  }

  @Test(.enabled(if: hasSoundFont, "no soundfont (apt install fluid-soundfont-gm)"))
  func `A synthesiser plays programs of the soundfont that downbeat finds`() throws {
    let (rig, instrument) = (try UnitRig(), instrument())
    #expect(instrument.name == "SoundFont MIDI Synth")
    instrument.sendProgramChange(19, onChannel: 3)
    rig.chain([instrument])
    try rig.engine.start()
    #expect(try rig.render(4800).allSatisfy { abs($0) < 1e-4 })
    instrument.startNote(60, withVelocity: 100, onChannel: 3)
    #expect(try rig.render(24_000).contains { abs($0) > 1e-3 })
    instrument.stopNote(60, onChannel: 3)
    instrument.sendPressure(0, onChannel: 3)
    instrument.sendPressure(forKey: 60, withValue: 0, onChannel: 3)
    _ = try rig.render(192_000)
    #expect(try rig.render(4800).allSatisfy { abs($0) < 1e-3 })
  }

  @Test func `An instrument has an output, a volume and a class of its type`() {
    let instrument = instrument()
    #expect((instrument.numberOfInputs, instrument.numberOfOutputs) == (0, 1))
    (instrument.volume, instrument.pan) = (0.25, 2)
    #expect((instrument.volume, instrument.pan) == (0.25, 1))
    #expect(instrument.audioComponentDescription.componentType == kAudioUnitType_MusicDevice)
  }
}
