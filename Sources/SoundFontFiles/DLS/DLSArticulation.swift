// SPDX-License-Identifier: Apache-2.0

/// The connections of a region as a soundfont's parameters: constant amounts become generators,
/// others modulators.
///
/// Source: DLS 2.2, sections 1.6 and 2.10; SoundFont 2.04, section 8.
struct DLSArticulation {
  private typealias Modulator = SoundFontDocument.Modulator

  /// The constant amounts by generator, except gain and tuning.
  private(set) var amounts = GeneratorTable(zero: 0.0)
  /// The amounts that depend on sources.
  private(set) var modulators: [SoundFontDocument.Modulator] = []
  /// The constant gain in centibels; positive is louder.
  private(set) var gain = 0.0
  /// The constant tuning, in cents.
  private(set) var tuning = 0.0
  /// The pitch of key 128 above key 0, in cents.
  private(set) var keyTracking = 12_800.0
  /// The maximum gain in centibels by which modulators increase the constant gain.
  private(set) var rise = 0.0
  /// A bit for each generator that depends on sources.
  private(set) var isMoved: UInt64 = 0

  /// The generator of attenuation; its amount in centibels is the negative of a gain.
  private static let attenuation: UInt16 = 48
  private static let cutoff: UInt16 = 8
  private static let fixedKey: UInt16 = 46
  private static let fineTune: UInt16 = 52
  private static let volumeSustain: UInt16 = 37
  private static let envelopeSustain: UInt16 = 29

  /// Reads connections.
  ///
  /// If several have the same source, control and destination, the last one is used.
  init(_ connections: [DLSConnection]) {
    let connections = Self.last(of: connections.map(\.normalized))
    for connection in connections where connection.source == DLSSource.none {
      addConstant(connection)
    }
    for connection in connections where connection.source != DLSSource.none { add(connection) }
    addOscillatorDefaults()
    rise = modulators.lazy.map(Self.rise).reduce(0, +)
  }

  private static func last(of connections: [DLSConnection]) -> [DLSConnection] {
    var last: [DLSConnection] = []
    var places: [UInt64: Int] = [:]
    for connection in connections {
      let number =
        UInt64(connection.source) << 32 | UInt64(connection.control) << 16
        | UInt64(connection.destination)
      // Most lists are short.
      let known =
        connections.count > 64 ? places[number] : last.firstIndex { $0.isLike(connection) }
      if let known {
        last[known] = connection
      } else {
        if connections.count > 64 { places[number] = last.count }
        last.append(connection)
      }
    }
    return last
  }

  private mutating func add(_ connection: DLSConnection) {
    switch connection.source {
    case DLSSource.key
    where connection.control == DLSSource.none && connection.destination == DLSDestination.pitch:
      keyTracking = connection.slope
    case DLSSource.oscillator, DLSSource.vibrato, DLSSource.envelope: addInternal(connection)
    default: addModulator(connection)
    }
  }

  private mutating func addConstant(_ connection: DLSConnection) {
    let amount = connection.amount
    switch connection.destination {
    case DLSDestination.gain: gain = amount
    case DLSDestination.pitch: tuning = amount
    // DLS states levels as parts of 96 dB or of the whole, a soundfont as the difference from the
    // maximum.
    case DLSDestination.volumeSustain: amounts[Self.volumeSustain] = 960 - amount * 0.96
    case DLSDestination.envelopeSustain: amounts[Self.envelopeSustain] = 1000 - amount
    case DLSDestination.keyNumber:
      if (0..<128).contains(amount) { amounts[Self.fixedKey] = amount }
    default:
      if let kind = DLSDestination.generators[connection.destination] { amounts[kind] = amount }
    }
  }

  /// Adds the effect of an oscillator or an envelope, which a control can scale.
  private mutating func addInternal(_ connection: DLSConnection) {
    let route = UInt32(connection.source) << 16 | UInt32(connection.destination)
    guard let kind = Self.internalRoutes[route] else { return }
    let sign: Double = connection.sourceCurve.isInverted ? -1 : 1
    let amount = sign * connection.amount
    if connection.control == DLSSource.none {
      amounts[kind] = (amounts[kind] ?? 0) + amount
    } else if let source = Self.word(connection.control, connection.controlCurve) {
      append(source, 0, to: kind, amount)
    }
    if connection.source == DLSSource.envelope, connection.sourceCurve.isInverted {
      addEnvelopeRest(connection)
    }
  }

  /// Adds the full amount of an inverted envelope, from which the envelope subtracts.
  private mutating func addEnvelopeRest(_ connection: DLSConnection) {
    let amount = connection.amount
    if connection.control != DLSSource.none {
      guard let source = Self.word(connection.control, connection.controlCurve),
        let (kind, _) = Self.target(connection.destination)
      else { return }
      append(source, 0, to: kind, amount + takeAmount(source, kind))
    } else if connection.destination == DLSDestination.pitch {
      tuning += amount
    } else {
      amounts[Self.cutoff] = (amounts[Self.cutoff] ?? 13_500) + amount
    }
  }

  /// Removes the modulator from a source to a generator.
  ///
  /// - Returns: Its amount, or 0 without one.
  private mutating func takeAmount(_ source: UInt16, _ kind: UInt16) -> Double {
    let known = modulators.firstIndex {
      $0.source == source && $0.destination == kind && $0.amountSource == 0
    }
    return known.map { Double(modulators.remove(at: $0).amount) } ?? 0
  }

  /// The generators that an oscillator (1), an envelope (5) or the vibrato (9) controls.
  private static let internalRoutes: [UInt32: UInt16] = [
    0x1_0003: 5, 0x1_0500: 10, 0x1_0001: 13, 0x5_0003: 7, 0x5_0500: 11, 0x9_0003: 6,
  ]

  private mutating func addModulator(_ connection: DLSConnection) {
    guard let source = Self.word(connection.source, connection.sourceCurve),
      let control = Self.word(connection.control, connection.controlCurve),
      let (kind, factor) = Self.target(connection.destination)
    else { return }
    replaceStandard(connection, source, control, kind)
    append(source, control, to: kind, connection.amount * factor)
  }

  /// The generator for a destination, and the factor of its amounts.
  private static func target(_ destination: UInt16) -> (kind: UInt16, factor: Double)? {
    switch destination {
    case DLSDestination.gain: (attenuation, -1)
    case DLSDestination.pitch: (fineTune, 1)
    case DLSDestination.volumeSustain: (volumeSustain, -0.96)
    case DLSDestination.envelopeSustain: (envelopeSustain, -1)
    default: DLSDestination.generators[destination].map { ($0, 1) }
    }
  }

  /// Disables a standard connection that the file replaces with another curve.
  ///
  /// Modulators with different curves are distinct, so the standard one would be added.
  private mutating func replaceStandard(
    _ connection: DLSConnection, _ source: UInt16, _ control: UInt16, _ kind: UInt16
  ) {
    for (standard, modulator) in zip(Self.standard, Self.standardModulators)
    where standard.isLike(connection)
      && (modulator.source != source || modulator.amountSource != control)
    {
      append(modulator.source, modulator.amountSource, to: kind, 0)
    }
  }

  /// The maximum gain of a modulator, in centibels.
  private static func rise(_ modulator: Modulator) -> Double {
    guard modulator.destination == attenuation else { return 0 }
    let isBipolar = (modulator.source | modulator.amountSource) & 0x200 != 0
    return isBipolar ? abs(Double(modulator.amount)) : max(0, -Double(modulator.amount))
  }

  private mutating func append(
    _ source: UInt16, _ control: UInt16, to kind: UInt16, _ amount: Double
  ) {
    isMoved |= 1 << UInt64(kind)
    modulators.append(
      Modulator(
        source: source, destination: kind, amount: Int16(clamping: Int(amount.rounded())),
        amountSource: control))
  }

  /// A source in the form of a modulator, or nil if a soundfont does not support it.
  private static func word(_ number: UInt16, _ curve: DLSCurve) -> UInt16? {
    let index: UInt16? =
      switch number {
      case DLSSource.none: 0
      case DLSSource.velocity: 2
      case DLSSource.key: 3
      case DLSSource.pitchWheel: 14
      case DLSSource.keyPressure: 10
      case DLSSource.pressure: 13
      case DLSSource.bendRange: 16
      case DLSSource.controllers: number
      default: nil
      }
    guard let index, curve.shape <= 3 else { return nil }
    guard index != 0 else { return 0 }
    return index | (curve.isInverted ? 0x100 : 0) | (curve.isBipolar ? 0x200 : 0)
      | curve.shape << 10
  }

  /// Sets 5 Hz and a delay of 10 ms for oscillators in use, unless the file sets them.
  ///
  /// Source: DLS 2.2, table 6.
  private mutating func addOscillatorDefaults() {
    let moved = isMoved | amounts.isSet
    if moved & (1 << 5 | 1 << 10 | 1 << 13) != 0 { setDefaults(rate: 22, delay: 21) }
    if moved & 1 << 6 != 0 { setDefaults(rate: 24, delay: 23) }
  }

  private mutating func setDefaults(rate: UInt16, delay: UInt16) {
    amounts[rate] = amounts[rate] ?? -851
    amounts[delay] = amounts[delay] ?? -7973
  }
}

extension DLSArticulation {
  /// The connections of every voice: velocity, volume and expression to gain; pan; both sends; and
  /// the pitch wheel scaled by its range.
  ///
  /// Source: DLS 2.2, table 6.
  private static let standard: [DLSConnection] = [
    standard(DLSSource.velocity, to: 0x001, .falling, -960),
    standard(DLSSource.volume, to: 0x001, .falling, -960),
    standard(DLSSource.expression, to: 0x001, .falling, -960),
    standard(DLSSource.pan, to: 0x004, .bipolar, 508),
    standard(0xDB, to: 0x081, .linear, 1000),
    standard(0xDD, to: 0x080, .linear, 1000),
    standard(
      DLSSource.pitchWheel, by: DLSSource.bendRange, to: 0x003, .bipolar, 12_800),
  ]

  private static func standard(
    _ source: UInt16, by control: UInt16 = 0, to destination: UInt16, _ curve: DLSCurve,
    _ amount: Int32
  ) -> DLSConnection {
    DLSConnection(
      source: source, control: control, destination: destination, sourceCurve: curve,
      controlCurve: .linear, scale: amount << 16)
  }

  /// The standard connections as modulators, for the chunk `DMOD`.
  static let standardModulators: [SoundFontDocument.Modulator] = standard.compactMap { connection in
    guard let source = word(connection.source, connection.sourceCurve),
      let control = word(connection.control, connection.controlCurve),
      let (kind, factor) = target(connection.destination)
    else { return nil }
    return SoundFontDocument.Modulator(
      source: source, destination: kind, amount: Int16(connection.amount * factor),
      amountSource: control)
  }
}

extension DLSConnection {
  /// The change of the amount from the lowest to the highest value of the source.
  fileprivate var slope: Double {
    amount * (sourceCurve.isBipolar ? 2 : 1) * (sourceCurve.isInverted ? -1 : 1)
  }

  /// The connection in a normal form: its only source, or an oscillator or an envelope, is the
  /// first source, and levels decrease.
  ///
  /// The product of two sources does not depend on their order. Some writers do not set the bit by
  /// which velocity and volume decrease the level, so a loud note would be silent.
  fileprivate var normalized: Self {
    let internals = [DLSSource.oscillator, DLSSource.vibrato, DLSSource.envelope]
    var connection = self
    if source == DLSSource.none && control != DLSSource.none
      || internals.contains(control) && !internals.contains(source)
    {
      (connection.source, connection.control) = (control, source)
      (connection.sourceCurve, connection.controlCurve) = (controlCurve, sourceCurve)
    }
    let levels = [DLSSource.velocity, DLSSource.volume, DLSSource.expression]
    if levels.contains(connection.source), connection.destination == DLSDestination.gain,
      connection.sourceCurve.shape == 1, scale < 0
    {
      connection.sourceCurve.isInverted = true
    }
    return connection
  }
}
