// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import Foundation
import TestSupport
import Testing

/// The synthesiser as an audio unit.
@Suite struct MusicDeviceTests {
  @Test func `A note sounds from its frame on, and a reset silences it`() throws {
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
    // Slices with an odd number of frames continue the same sound.
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

  /// An initialized synthesiser of a subtype, with the project's soundfont.
  private static func synth(_ subtype: OSType, bankMSB: UInt8? = nil, program: UInt8 = 0)
    throws -> AudioUnit?
  {
    let font = ToolRun.packageFolder.appendingPathComponent("Soundfonts/Downbeat.sf2").path
    var wanted = AUGraphTests.description(kAudioUnitType_MusicDevice, subtype)
    var synth: AudioUnit?
    AudioComponentInstanceNew(AudioComponentFindNext(nil, &wanted), &synth)
    var url = Unmanaged.passRetained(NSURL(fileURLWithPath: font))
    defer { url.release() }
    if let bankMSB {
      var choice = AUSamplerInstrumentData(
        fileURL: url, instrumentType: kInstrumentType_SF2Preset, bankMSB: bankMSB, bankLSB: 0,
        presetID: program)
      #expect(
        AudioUnitSetProperty(
          synth, kAUSamplerProperty_LoadInstrument, kAudioUnitScope_Global, 0, &choice,
          UInt32(MemoryLayout<AUSamplerInstrumentData>.size)) == 0)
    } else {
      #expect(
        AudioUnitSetProperty(
          synth, kMusicDeviceProperty_SoundBankURL, kAudioUnitScope_Global, 0, &url, 8) == 0)
    }
    #expect(AudioUnitInitialize(synth) == 0)
    _ = AUGraphTests.samples(synth, 512, at: 0)
    return synth
  }

  @Test(arguments: [kAudioUnitSubType_GenericOutput, kAudioUnitSubType_MultiChannelMixer])
  func `A connected unit refuses slices longer than its maximum`(puller: OSType) throws {
    let synth = try Self.synth(kAudioUnitSubType_DLSSynth)
    defer { AudioComponentInstanceDispose(synth) }
    var most: UInt32 = 123
    #expect(AudioUnitUninitialize(synth) == 0)
    #expect(
      AudioUnitSetProperty(
        synth, kAudioUnitProperty_MaximumFramesPerSlice, kAudioUnitScope_Global, 0, &most, 4) == 0)
    #expect(AudioUnitInitialize(synth) == 0)
    let type =
      puller == kAudioUnitSubType_GenericOutput ? kAudioUnitType_Output : kAudioUnitType_Mixer
    var wanted = AUGraphTests.description(type, puller)
    var unit: AudioUnit?
    AudioComponentInstanceNew(AudioComponentFindNext(nil, &wanted), &unit)
    defer { AudioComponentInstanceDispose(unit) }
    var connection = AudioUnitConnection(
      sourceAudioUnit: synth, sourceOutputNumber: 0, destInputNumber: 0)
    #expect(
      AudioUnitSetProperty(
        unit, kAudioUnitProperty_MakeConnection, kAudioUnitScope_Input, 0, &connection,
        UInt32(MemoryLayout<AudioUnitConnection>.size)) == 0)
    #expect(AudioUnitInitialize(unit) == 0)
    #expect(AUGraphTests.samples(unit, 123, at: 0).0 == 0)
    let (status, left, right) = AUGraphTests.samples(unit, 512, at: 123)
    #expect(status == kAudioUnitErr_TooManyFramesToProcess)
    // The buffers do not change.
    #expect((left + right).allSatisfy { $0 == 9 })
  }

  /// The sound of a key on a channel.
  private static func sound(_ synth: AudioUnit?, channel: UInt8, key: UInt8 = 60) -> [Float] {
    #expect(MusicDeviceMIDIEvent(synth, UInt32(0x90 | channel), UInt32(key), 100, 0) == 0)
    let (status, left, _) = AUGraphTests.samples(synth, 1024, at: 512)
    #expect(status == 0)
    return left
  }

  @Test func `A note starts at its frame as the nearest key, and ends by its number`()
    throws
  {
    let synth = try Self.synth(kAudioUnitSubType_DLSSynth)
    defer { AudioComponentInstanceDispose(synth) }
    let other = try Self.synth(kAudioUnitSubType_DLSSynth)
    defer { AudioComponentInstanceDispose(other) }
    var (note, second) = (NoteInstanceID(), NoteInstanceID())
    var parameters = MusicDeviceNoteParams()
    parameters.argCount = 2
    (parameters.mPitch, parameters.mVelocity) = (60.4, 100)
    #expect(MusicDeviceStartNote(synth, 0xFFFF_FFFF, 0, &note, 256, &parameters) == 0)
    parameters.mPitch = 64
    #expect(MusicDeviceStartNote(synth, 0xFFFF_FFFF, 0, &second, 256, &parameters) == 0)
    #expect(note != second)
    #expect(MusicDeviceMIDIEvent(other, 0x90, 60, 100, 256) == 0)
    #expect(MusicDeviceMIDIEvent(other, 0x90, 64, 100, 256) == 0)
    let struck = AUGraphTests.samples(synth, 1024, at: 512).1
    #expect(struck == AUGraphTests.samples(other, 1024, at: 512).1)
    #expect(struck.contains { abs($0) > 1e-4 })
    #expect(MusicDeviceStopNote(synth, 0, note, 100) == 0)
    #expect(MusicDeviceStopNote(synth, 0, second, 100) == 0)
    #expect(MusicDeviceMIDIEvent(other, 0x80, 60, 64, 100) == 0)
    #expect(MusicDeviceMIDIEvent(other, 0x80, 64, 64, 100) == 0)
    for slice in 0..<8 {
      let time = Double(1536 + 1024 * slice)
      #expect(
        AUGraphTests.samples(synth, 1024, at: time) == AUGraphTests.samples(other, 1024, at: time))
    }
    #expect(AUGraphTests.samples(synth, 4096, at: 0).0 == kAudioUnitErr_TooManyFramesToProcess)
    #expect(MusicDeviceStopNote(synth, 1, note, 0) == -50)
    parameters.mPitch = 128
    #expect(MusicDeviceStartNote(synth, 0xFFFF_FFFF, 0, &note, 0, &parameters) == -50)
    #expect(MusicDeviceStartNote(synth, 0xFFFF_FFFF, 16, &note, 0, &parameters) == -50)
  }

  @Test func `A sampler plays its preset on every channel, also a preset of drums`()
    throws
  {
    let melodic = UInt8(kAUSampler_DefaultMelodicBankMSB)
    let percussion = UInt8(kAUSampler_DefaultPercussionBankMSB)
    for (bank, program) in [(melodic, UInt8(40)), (percussion, 0)] {
      let sounds = try [UInt8(0), 5, 9].map { channel in
        let sampler = try Self.synth(kAudioUnitSubType_Sampler, bankMSB: bank, program: program)
        defer { AudioComponentInstanceDispose(sampler) }
        return Self.sound(sampler, channel: channel)
      }
      #expect(sounds[0].contains { abs($0) > 1e-4 })
      #expect(sounds[1] == sounds[0] && sounds[2] == sounds[0])
      // The sound is that of a synthesiser after a program change, or on the channel of drums.
      let synth = try Self.synth(kAudioUnitSubType_DLSSynth)
      defer { AudioComponentInstanceDispose(synth) }
      let channel: UInt8 = bank == percussion ? 9 : 0
      #expect(MusicDeviceMIDIEvent(synth, UInt32(0xC0 | channel), UInt32(program), 0, 0) == 0)
      #expect(Self.sound(synth, channel: channel) == sounds[0])
    }
  }

  @Test func `A sampler refuses files that it cannot read`() throws {
    let sampler = try Self.synth(
      kAudioUnitSubType_Sampler, bankMSB: UInt8(kAUSampler_DefaultMelodicBankMSB))
    defer { AudioComponentInstanceDispose(sampler) }
    let file = Unmanaged.passRetained(NSURL(fileURLWithPath: "/no/such.exs"))
    defer { file.release() }
    var choice = AUSamplerInstrumentData(
      fileURL: file, instrumentType: kInstrumentType_EXS24, bankMSB: 0x79, bankLSB: 0, presetID: 0)
    #expect(
      AudioUnitSetProperty(
        sampler, kAUSamplerProperty_LoadInstrument, kAudioUnitScope_Global, 0, &choice,
        UInt32(MemoryLayout<AUSamplerInstrumentData>.size)) == kAudioUnitErr_InvalidPropertyValue)
  }
}
