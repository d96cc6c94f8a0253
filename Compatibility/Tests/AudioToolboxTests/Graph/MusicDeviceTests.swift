// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import Foundation
import TestSupport
import Testing

/// The synthesiser as a unit.
@Suite struct MusicDeviceTests {
  @Test func `A note sounds from its frame on, and falls silent at reset`() throws {
    let font = ToolRun.packageFolder.appendingPathComponent("Soundfonts/Downbeat.sf2").path
    var wanted = AUGraphTests.description(kAudioUnitType_MusicDevice, kAudioUnitSubType_DLSSynth)
    var synth: AudioUnit?
    AudioComponentInstanceNew(AudioComponentFindNext(nil, &wanted), &synth)
    defer { AudioComponentInstanceDispose(synth) }
    #expect(MusicDeviceMIDIEvent(synth, 0x90, 60, 100, 0) == kAudioUnitErr_Uninitialized)
    var url = Unmanaged.passRetained(NSURL(fileURLWithPath: font))
    defer { url.release() }
    #expect(
      AudioUnitSetProperty(
        synth, kMusicDeviceProperty_SoundBankURL, kAudioUnitScope_Global, 0, &url, 8) == 0)
    #expect(AudioUnitInitialize(synth) == 0)
    let (status, silent, _) = AUGraphTests.samples(synth, 512, at: 0)
    #expect(status == 0)
    #expect(silent.allSatisfy { abs($0) < 1e-6 })
    #expect(MusicDeviceMIDIEvent(synth, 0xC0, 0, 0, 0) == 0)
    #expect(MusicDeviceMIDIEvent(synth, 0x90, 60, 100, 256) == 0)
    let (_, struck, _) = AUGraphTests.samples(synth, 1024, at: 512)
    #expect(struck.prefix(190).allSatisfy { abs($0) < 1e-6 })
    #expect(struck.contains { abs($0) > 1e-4 })
    // Slices of an odd length continue the same sound.
    let (_, odd, _) = AUGraphTests.samples(synth, 333, at: 1536)
    #expect(odd.contains { abs($0) > 1e-4 })
    #expect(AudioUnitReset(synth, 0, 0) == 0)
    for slice in 0..<400 { _ = AUGraphTests.samples(synth, 1024, at: Double(2048 + 1024 * slice)) }
    let (_, quiet, _) = AUGraphTests.samples(synth, 512, at: 500_000)
    #expect(quiet.allSatisfy { abs($0) < 1e-4 })
    #expect(MusicDeviceMIDIEvent(synth, 0x10, 60, 100, 0) == -50)
    #expect(MusicDeviceSysEx(synth, [0xF0, 0x7E, 0x7F, 9, 1, 0xF7], 6) == 0)
    #expect(MusicDeviceSysEx(synth, [0x90], 1) == -50)
  }
}
