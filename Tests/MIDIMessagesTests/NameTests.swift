// SPDX-License-Identifier: Apache-2.0
import MIDIMessages
import Testing

/// Tests for the names of programs, kits, drums, controllers and keys.
@Suite struct NameTests {
  @Test(arguments: [
    ("violin", [40]), ("Violin", [40]), ("flute", [73]), ("flu", [73]), ("pan-flute", [75]),
    ("honky tonk piano", [3]), ("church_organ", [19]), ("synth brass 2", [63]), ("picc", [72]),
    ("organ", [16, 17, 18, 19, 20]), ("bass", [32, 33, 34, 35, 36, 37, 38, 39, 58, 70, 87]),
    ("", []), ("-", []), ("theremin", []),
  ])
  func `a name means one program, or all that could be meant`(name: String, programs: [Int]) {
    let found = GeneralMIDI.programs(named: name).map(Int.init)
    // Contrabass and bassoon are basses by their letters too.
    #expect(found == programs || name == "bass" && found.count > 9 && !found.contains(40))
  }

  @Test func `every program, kit and drum is found by its own name`() {
    for program in UInt8(0)...127 {
      #expect(GeneralMIDI.programs(named: GeneralMIDI.name(ofProgram: program)) == [program])
      if let kit = GeneralMIDI.name(ofKit: program) {
        #expect(GeneralMIDI.kits(named: kit) == [program])
      }
      if let drum = GeneralMIDI.name(ofDrum: Key(program)) {
        #expect(GeneralMIDI.drums(named: drum) == [Key(program)])
      }
      if let control = Controller(program).name {
        #expect(Controller.named(control) == [Controller(program)])
      }
    }
  }

  @Test func `drums have names from 27 to 87, and short ones`() {
    #expect(GeneralMIDI.name(ofDrum: Key(26)) == nil && GeneralMIDI.name(ofDrum: Key(88)) == nil)
    let known: [UInt8: String] = [
      27: "High Q", 35: "Acoustic Bass Drum", 38: "Acoustic Snare", 42: "Closed Hi-hat",
      49: "Crash Cymbal 1", 56: "Cowbell", 60: "Hi Bongo", 75: "Claves", 81: "Open Triangle",
      87: "Open Surdo",
    ]
    for (key, name) in known { #expect(GeneralMIDI.name(ofDrum: Key(key)) == name) }
    #expect(GeneralMIDI.drums(named: "snare") == [Key(38)])
    #expect(GeneralMIDI.drums(named: "closed hi hat") == [Key(42)])
    #expect(GeneralMIDI.drums(named: "hi-hat").map(\.number) == [42, 44, 46])
    for (name, key) in GeneralMIDI.shortDrumNames {
      #expect(GeneralMIDI.drums(named: name) == [Key(key)])
    }
  }

  @Test(arguments: [
    ("volume", [7]), ("vol", [7]), ("sus", [64]), ("mod", [1]), ("volume fine", [39]),
    ("pan", [10]), ("bank", [0]), ("rpn", [101]), ("all notes off", [123]), ("portamento", [65]),
    ("vibrato", [76, 77, 78]), ("nothing", []),
  ])
  func `a name means one controller, or all that could be meant`(name: String, numbers: [Int]) {
    #expect(Controller.named(name).map { Int($0.number) } == numbers)
  }

  @Test func `a key has a name in each convention, and the name means the key`() {
    #expect(Key(60).name() == "C4")
    #expect(Key(60).name(middleC: 3) == "C3")
    #expect(Key(0).name() == "C-1" && Key(127).name() == "G9")
    #expect(Key(70).name(middleC: 5) == "Bb5")
    for number in UInt8(0)...127 {
      for octave in 3...5 {
        #expect(Key(named: Key(number).name(middleC: octave), middleC: octave) == Key(number))
      }
    }
  }

  @Test(arguments: [
    ("c4", 60), ("C#4", 61), ("db4", 61), ("B#3", 60), ("Cb4", 59), ("Ebb4", 62), ("f##4", 67),
    ("C-1", 0), ("G9", 127),
  ])
  func `a name means a key`(name: String, number: UInt8) {
    #expect(Key(named: name) == Key(number))
  }

  @Test(arguments: [
    "", "H4", "C", "C4x", "C###4", "G#9", "Cb-1", "C99999999999999999999", "#4", "é4",
  ])
  func `an invalid key name gives nil`(name: String) {
    #expect(Key(named: name) == nil)
  }
}
