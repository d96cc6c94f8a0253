// SPDX-License-Identifier: Apache-2.0

/// The samples of a font in the order in which they are stored.
final class SampleBank {
  private(set) var samples: [Sample] = []
  private var numbers: [String: Int] = [:]

  /// Stores a sound and gives its number; a name that is known already gives the number it has.
  ///
  /// A struck sound is played near the pitch it is stored at, where nothing is interpolated, and
  /// is noise for the most part; it is stored as it is.
  func add(_ name: String, rootKey: Int, _ sound: Sound, isStruck: Bool = false) -> Int {
    if let known = numbers[name] { return known }
    numbers[name] = samples.count
    samples.append(
      Sample(
        name: name, rootKey: rootKey,
        // Between the frames a wave may be higher than at them.
        sound: isStruck ? sound : sound.oversampled().withinFullScale, isStruck: isStruck))
    return samples.count - 1
  }

  /// Builds a voice with one sample for each root key; neighbours meet half way.
  ///
  /// Every sample is brought to `loudness` over `window` seconds. `make` gives the sound for a frequency
  /// and a root key, and its zone's own settings.
  func voice(
    _ name: String, roots: [Int], loudness: Double = -11.5, over window: Double = 0.6,
    velocities: ClosedRange<Int> = 0...127, settings: Settings, isStruck: Bool = false,
    make: (Double, Int) -> (sound: Sound, settings: Settings)
  ) -> Voice {
    var zones: [Zone] = []
    for (index, root) in roots.enumerated() {
      let low = index == 0 ? 0 : (roots[index - 1] + root) / 2 + 1
      let high = index == roots.count - 1 ? 127 : (root + roots[index + 1]) / 2
      let made = make(PortableMath.frequency(key: Double(root)), root)
      let sound = made.sound.levelled(to: loudness, over: window)
      let sample = add("\(name) \(root)", rootKey: root, sound, isStruck: isStruck)
      zones.append(
        Zone(
          keys: low...high, velocities: velocities, sample: sample, rootKey: root,
          looped: sound.loopLength > 0, settings: made.settings))
    }
    return Voice(name: name, zones: zones, settings: settings)
  }
}
