// SPDX-License-Identifier: Apache-2.0

/// A resonance's gain at `frequency`: 1 at the centre, one half at half the width beside it.
func resonance(_ frequency: Double, at centre: Double, width: Double) -> Double {
  let x = (frequency - centre) / (width / 2)
  return 1 / (1 + x * x)
}

/// A decay that falls by `decibelsPerSecond`.
func fall(_ time: Double, _ decibelsPerSecond: Double) -> Double {
  PortableMath.gain(decibels: -time * decibelsPerSecond)
}

/// A rise from 0 to 1 with the time constant `seconds`.
func rise(_ time: Double, _ seconds: Double) -> Double { 1 - PortableMath.exp(-time / seconds) }

/// A gentle low pass of the given order: 0.7 at `corner`.
func rolloff(_ frequency: Double, _ corner: Double, order: Double) -> Double {
  1 / (1 + PortableMath.power(frequency / corner, 2 * order)).squareRoot()
}

/// A gentle high pass of the given order: 0.7 at `corner`.
func rollon(_ frequency: Double, _ corner: Double, order: Double) -> Double {
  1 / (1 + PortableMath.power(corner / frequency, 2 * order)).squareRoot()
}
