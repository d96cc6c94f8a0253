// SPDX-License-Identifier: Apache-2.0

/// The SoundFont 2.04 generators this font uses, with their numbers in the file.
enum Generator: UInt16, Comparable {
  case startOffset = 0
  case modLFOToPitch = 5
  case vibratoLFOToPitch = 6
  case modEnvelopeToPitch = 7
  case filterCutoff = 8
  case filterResonance = 9
  case modLFOToFilter = 10
  case modEnvelopeToFilter = 11
  case modLFOToVolume = 13
  case chorusSend = 15
  case reverbSend = 16
  case pan = 17
  case modLFODelay = 21
  case modLFOFrequency = 22
  case vibratoDelay = 23
  case vibratoFrequency = 24
  case modEnvelopeAttack = 26
  case modEnvelopeHold = 27
  case modEnvelopeDecay = 28
  case modEnvelopeSustain = 29
  case modEnvelopeRelease = 30
  case volumeDelay = 33
  case volumeAttack = 34
  case volumeHold = 35
  case volumeDecay = 36
  case volumeSustain = 37
  case volumeRelease = 38
  case keyToVolumeDecay = 40
  case instrument = 41
  case keyRange = 43
  case velocityRange = 44
  case attenuation = 48
  case coarseTune = 51
  case fineTune = 52
  case sample = 53
  case sampleModes = 54
  case scaleTuning = 56
  case exclusiveClass = 57
  case rootKey = 58

  static func < (a: Generator, b: Generator) -> Bool { a.order < b.order }

  /// Ranges come first and the link to a sample or instrument last, as the standard asks.
  private var order: Int {
    switch self {
    case .keyRange: -2
    case .velocityRange: -1
    case .instrument, .sample: 1000
    default: Int(rawValue)
    }
  }
}
