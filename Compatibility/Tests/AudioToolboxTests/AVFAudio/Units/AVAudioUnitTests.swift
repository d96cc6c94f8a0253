// SPDX-License-Identifier: Apache-2.0
import AVFAudio
import Foundation
import Testing

@Suite struct AVAudioUnitTests {
  private func description(_ type: OSType, _ subtype: OSType) -> AudioComponentDescription {
    AudioComponentDescription(
      componentType: type, componentSubType: subtype,
      componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 0,
      componentFlagsMask: 0)
  }

  @Test func `Units are created from descriptions, each with its class`() async throws {
    let delay = try await AVAudioUnit.instantiate(
      with: description(kAudioUnitType_Effect, kAudioUnitSubType_Delay), options: [])
    #expect(delay is AVAudioUnitDelay && delay.name == "Delay" && delay.version == 0x10000)
    #expect(delay.manufacturerName == "Downbeat")
    #expect(delay.audioComponentDescription.componentSubType == kAudioUnitSubType_Delay)
    let subtypes: [(OSType, OSType, (AVAudioUnit) -> Bool)] = [
      (
        kAudioUnitType_Effect, kAudioUnitSubType_NBandEQ,
        { ($0 as? AVAudioUnitEQ)?.bands.count == 16 }
      ),
      (kAudioUnitType_Effect, kAudioUnitSubType_Reverb2, { $0 is AVAudioUnitReverb }),
      (kAudioUnitType_Effect, kAudioUnitSubType_Distortion, { $0 is AVAudioUnitDistortion }),
      (
        kAudioUnitType_FormatConverter, kAudioUnitSubType_NewTimePitch,
        { $0 is AVAudioUnitTimePitch }
      ),
      (kAudioUnitType_FormatConverter, kAudioUnitSubType_Varispeed, { $0 is AVAudioUnitVarispeed }),
      (kAudioUnitType_MusicDevice, kAudioUnitSubType_Sampler, { $0 is AVAudioUnitSampler }),
      (kAudioUnitType_MusicDevice, 0, { $0 is AVAudioUnitSampler }),
      (
        kAudioUnitType_MusicDevice, kAudioUnitSubType_MIDISynth,
        { $0 is AVAudioUnitMIDIInstrument && !($0 is AVAudioUnitSampler) }
      ),
    ]
    for (type, subtype, isRight) in subtypes {
      let unit = try await AVAudioUnit.instantiate(with: description(type, subtype))
      #expect(isRight(unit), "\(unit.name)")
    }
  }

  @Test func `A type without a unit is an error`() async {
    let error = await withCheckedContinuation { continuation in
      AVAudioUnit.instantiate(with: description(kAudioUnitType_Effect, 1), options: .loadInProcess)
      {
        unit, error in
        #expect(unit == nil)
        continuation.resume(returning: (error as? NSError)?.code)
      }
    }
    #expect(error == -3000)
  }

  @Test func `An effect of a description has its default values; an unknown one passes sound`()
    throws
  {
    let sound = UnitRig.sound(frames: 2000)
    for subtype in [kAudioUnitSubType_DynamicsProcessor, kAudioUnitSubType_NBandEQ] {
      let rig = try UnitRig()
      let effect = AVAudioUnitEffect(
        audioComponentDescription: description(kAudioUnitType_Effect, subtype))
      rig.chain([try rig.player(sound), effect])
      #expect(try rig.render(2000).elementsEqual(sound))
    }
  }

  @Test func `Instruments and players have a volume, a place and a position; effects do not`() {
    let nodes: [AVAudioNode] = [
      AVAudioUnitSampler(), AVAudioPlayerNode(), AVAudioMixerNode(), AVAudioEngine().inputNode,
    ]
    for node in nodes {
      guard let mixing = node as? any AVAudioMixing else {
        Issue.record("\(node)")
        continue
      }
      (mixing.volume, mixing.pan, mixing.obstruction) = (0.5, -3, -200)
      #expect((mixing.volume, mixing.pan, mixing.obstruction) == (0.5, -1, -100))
      mixing.position = AVAudio3DPoint(x: 1, y: 2, z: 3)
      #expect(mixing.position == AVAudioMake3DPoint(1, 2, 3))
      #expect(mixing.renderingAlgorithm == .equalPowerPanning)
    }
    #expect(!(AVAudioUnitDelay() is any AVAudioMixing))
  }
}
