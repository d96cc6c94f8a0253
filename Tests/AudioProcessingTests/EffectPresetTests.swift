// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import AudioTestSupport
import MusicalTime
import TestSupport
import Testing

@Suite struct EffectPresetTests {
  @Test func `A room sets all parameters of a reverb but the mix`() throws {
    for room in ReverbRoom.allCases {
      let reverb = ReverbUnit(rate: Rate.studio)
      reverb[.mix] = 0.5
      reverb.set(room, over: 0)
      #expect(room.settings.count == reverb.parameters.parameters.count - 1)
      for (setting, value) in room.settings { #expect(reverb[setting] == value, "\(room)") }
      #expect(reverb[.mix] == 0.5)
    }
  }

  @Test func `Larger rooms of a kind sound longer`() {
    let kinds: [[ReverbRoom]] = [
      [.smallRoom, .mediumRoom, .largeRoom, .largeRoom2],
      [.mediumHall3, .mediumHall, .mediumHall2, .largeHall, .largeHall2, .cathedral],
      [.mediumChamber, .largeChamber],
    ]
    for kind in kinds {
      let decays = kind.compactMap { $0.settings[.decay] }
      #expect(decays == decays.sorted() && Set(decays).count == kind.count)
    }
  }

  @Test(arguments: DistortionSound.allCases)
  func `The effects of a distortion exist, and change a tone without clipping numbers`(
    sound: DistortionSound
  ) throws {
    let source = SignalUnit.tone(440, amplitude: 0.25)
    var graph = AudioGraph()
    var last = graph.add(source)
    for text in sound.effects {
      let node = graph.add(try EffectCatalogue.standard.unit(text, rate: Rate.studio))
      try graph.connect(last, to: node)
      last = node
    }
    try graph.setHead(last)
    let listener = PlanListener(try graph.compile())
    listener.render(quanta: 300)
    let found = listener.render(quanta: 300)[0]
    #expect(found.allSatisfy { $0.isFinite && abs($0) < 4 })
    let (tone, power) = (
      Tone(found, hertz: 440, rate: 48_000).amplitude,
      found.reduce(0) { $0 + Double($1) * Double($1) } / Double(found.count)
    )
    #expect(power > 1e-6)
    // Part of the power is not in the tone.
    #expect(power - tone * tone / 2 > power * 1e-5, "\(sound)")
  }
}
