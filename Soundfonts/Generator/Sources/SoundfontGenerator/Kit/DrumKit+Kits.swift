// SPDX-License-Identifier: Apache-2.0

/// The kits of General MIDI 2: what differs from the standard one.
extension DrumKit {
  private static func tomKeys(_ pan: Double = 1) -> [Key] {
    [
      (41, -7, 0.35 * pan), (43, -4, 0.25 * pan), (45, -1, 0.1 * pan), (47, 2, -0.05 * pan),
      (48, 5, -0.2 * pan), (50, 8, -0.3 * pan),
    ]
  }

  /// Struck in a room that answers.
  func inRoom() -> DrumKit {
    var kit = self
    kit.add("Room Kick 2", Drums.kick(61, .init(pitch: 46, room: 0.8)), on: [(35, 0, 0)])
    kit.add("Room Kick", Drums.kick(62, .init(pitch: 52, click: 1, room: 0.9)), on: [(36, 0, 0)])
    kit.add(
      "Room Snare", Drums.snare(63, .init(seconds: 0.5, pitch: 178, room: 0.7)),
      on: [(38, 0, -0.06)])
    kit.add(
      "Room Snare 2", Drums.snare(64, .init(seconds: 0.5, pitch: 220, ring: 0.8, room: 0.8)),
      on: [(40, 0, -0.06)])
    kit.add("Room Tom", Drums.tom(65, glide: 0.14, quick: 42, noise: 3), on: Self.tomKeys())
    return kit
  }

  /// Large drums, hit hard, the snare through a gate.
  func atFullPower() -> DrumKit {
    var kit = self
    kit.add(
      "Power Kick 2", Drums.kick(66, .init(pitch: 43, quick: 48, click: 1.6, drive: 2.6)),
      on: [(35, 0, 0)])
    kit.add(
      "Power Kick",
      Drums.kick(67, .init(pitch: 50, drop: 2.2, quick: 52, click: 2, clickTone: 3600, drive: 2.8)),
      on: [(36, 0, 0)])
    kit.add(
      "Power Snare",
      Drums.snare(
        68, .init(seconds: 0.4, pitch: 165, wires: 1.2, crack: 2, room: 1.1, gate: 0.27)),
      on: [(38, 0, -0.06), (40, 2, -0.06)])
    kit.add(
      "Power Tom", Drums.tom(69, pitch: 112, glide: 0.22, quick: 46, noise: 3.4),
      on: Self.tomKeys(1.3))
    return kit
  }

  /// Drums of oscillators and noise.
  func electronic() -> DrumKit {
    var kit = self
    kit.add(
      "Electro Kick 2", Drums.kick(70, .init(pitch: 48, drop: 3, quick: 70, click: 1.2)),
      on: [(35, 0, 0)])
    kit.add(
      "Electro Kick",
      Drums.kick(71, .init(pitch: 56, drop: 4, quick: 90, click: 1.6, clickTone: 4200, drive: 2.4)),
      on: [(36, 0, 0)])
    kit.add(
      "Electro Snare", Drums.machineSnare(72, tone: 190, snap: 2.2), on: [(38, 0, -0.06)])
    kit.add(
      "Electro Snare 2", Drums.machineSnare(73, tone: 260, snap: 1.6), on: [(40, 0, -0.06)])
    kit.add(
      "Electro Tom", Drums.tom(75, glide: 1.5, quick: 58, noise: 0.5, synthetic: true),
      on: Self.tomKeys())
    return kit
  }

  /// The drum machine of 1980.
  func analog() -> DrumKit {
    var kit = self
    kit.add(
      "Analog Kick",
      Drums.kick(
        76,
        .init(seconds: 0.8, pitch: 49, drop: 1, quick: 34, click: 0.35, thump: 0.2, drive: 1.2)),
      on: [(35, -1, 0), (36, 0, 0)])
    kit.add("Analog Snare", Drums.machineSnare(77, tone: 180, snap: 1.3), on: [(38, 0, 0)])
    kit.add("Analog Snare 2", Drums.machineSnare(78, tone: 205, snap: 2.4), on: [(40, 0, 0)])
    kit.add(
      "Analog Tom", Drums.tom(79, glide: 0.35, quick: 52, noise: 0.15, synthetic: true),
      on: Self.tomKeys() + [(62, 14, 0.2), (63, 12, 0.25), (64, 7, 0.3)])
    let choke = Settings().with(.exclusiveClass, 1)
    let closed = Drums.machineHat(80, seconds: 0.12, quick: 500)
    kit.add("Analog Hat", closed, on: [(42, 0, 0.1), (44, 0, 0.1)], settings: choke)
    kit.add(
      "Analog Open Hat", Drums.machineHat(81, seconds: 0.5, quick: 90), on: [(46, 0, 0.1)],
      settings: choke)
    kit.add("Analog Cowbell", Drums.machineCowbell(), on: [(56, 0, 0.1)])
    return kit
  }

  /// Small drums, tuned high, struck lightly.
  func jazz() -> DrumKit {
    var kit = self
    kit.add(
      "Jazz Kick", Drums.kick(82, .init(pitch: 66, drop: 0.7, quick: 50, click: 0.3, drive: 1.1)),
      on: [(35, -2, 0), (36, 0, 0)])
    kit.add(
      "Jazz Snare", Drums.snare(83, .init(pitch: 215, ring: 1.5, wires: 0.8, crack: 1)),
      on: [(38, 0, -0.06), (40, 2, -0.06)])
    kit.add(
      "Jazz Tom", Drums.tom(84, pitch: 158, glide: 0.14, quick: 52, noise: 0.6), on: Self.tomKeys())
    return kit
  }

  /// The jazz kit with brushes for sticks.
  func brushed() -> DrumKit {
    var kit = jazz()
    kit.add(
      "Brush Tap", Drums.brush(85, seconds: 0.22, swell: 0.002, body: 0.3), on: [(38, 0, -0.06)])
    kit.add(
      "Brush Slap", Drums.brush(86, seconds: 0.3, swell: 0.001, body: 0.7), on: [(39, 0, -0.06)])
    kit.add(
      "Brush Swirl", Drums.brush(87, seconds: 0.62, swell: 0.3, body: 0), on: [(40, 0, -0.06)])
    return kit
  }

  /// Concert drums, timpani from F2 to F3, castanets and clashed cymbals.
  func orchestral(timpani: Voice) -> DrumKit {
    var kit = self
    let choke = Settings().with(.exclusiveClass, 1)
    kit.add(
      "Closed Hat", Drums.hat(31, seconds: 0.12, quick: 520, loudness: -17), on: [(27, 0, -0.25)],
      settings: choke)
    kit.add(
      "Pedal Hat", Drums.hat(32, seconds: 0.14, quick: 380, loudness: -19), on: [(28, -1, -0.25)],
      settings: choke)
    kit.add("Open Hat", Drums.openHat(), on: [(29, 0, -0.25)], settings: choke)
    kit.add("Ride", Drums.ride(), on: [(30, 0, 0.3)])
    kit.add(
      "Concert Bass Drum", Drums.concertBassDrum(91, quick: 38), on: [(35, -2, 0.2), (36, 0, 0.2)])
    kit.add(
      "Concert Snare",
      Drums.snare(92, .init(seconds: 0.45, pitch: 240, wires: 1.2, wireTone: 5200, room: 0.5)),
      on: [(38, 0, -0.1), (40, 1, -0.1)])
    kit.add("Castanets", Drums.castanets(), on: [(39, 0, -0.2)])
    kit.add(timpani, on: 41...53)
    kit.add("Crash", Drums.crash(), on: [(57, -2, 0.1), (59, -4, -0.1)])
    return kit
  }
}
