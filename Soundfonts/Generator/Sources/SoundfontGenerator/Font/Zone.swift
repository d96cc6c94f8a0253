// SPDX-License-Identifier: Apache-2.0

/// A sample in the font, and the key at which it sounds as stored.
struct Sample {
  let name: String
  let rootKey: Int
  let sound: Sound
  /// Whether it is noise for the most part, stored as it was computed.
  var isStruck = false

  /// By how many octaves the rate in the file is lower than the sample's, and the root key with
  /// it: that plays the same, and players need not know of rates above 50 kHz.
  var octaves: Int { sound.storedRate > 100_000 ? 2 : sound.storedRate > 50_000 ? 1 : 0 }
}

/// The keys and velocities at which a sample answers.
struct Zone {
  var keys: ClosedRange<Int>
  var velocities: ClosedRange<Int> = 0...127
  var sample: Int
  var rootKey: Int
  var looped: Bool
  var settings = Settings()
}

/// A family of samples over the keyboard, before a program has given it its character.
struct Voice {
  let name: String
  var zones: [Zone]
  var settings: Settings
}

/// One of the sounds that make up a program.
struct Layer {
  let voice: Voice
  let settings: Settings

  init(_ voice: Voice, _ settings: Settings = Settings()) {
    (self.voice, self.settings) = (voice, settings)
  }

  /// The layer softer by as many decibels more.
  func softer(_ decibels: Double) -> Layer {
    Layer(voice, settings.evenSofter(decibels))
  }
}

/// What a program change selects.
struct Preset {
  let name: String
  let bank: Int
  let program: Int
  let layers: [Layer]
}
