// SPDX-License-Identifier: Apache-2.0
import Glibc
import Testing

@testable import SongPictures

@Suite struct InkTests {
  /// The transforms of linear red, green and blue for normal vision, protanopia and deuteranopia.
  ///
  /// Source: Machado, Oliveira and Fernandes, IEEE TVCG 15 (2009), severity 1.
  private static let eyes: [[[Double]]] = [
    [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
    [
      [0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216],
      [-0.003882, -0.048116, 1.051998],
    ],
    [
      [0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413],
      [-0.011820, 0.042940, 0.968881],
    ],
  ]

  private func linear(_ color: UInt32) -> [Double] {
    [16, 8, 0].map { shift in
      let part = Double(color >> shift & 0xFF) / 255
      return part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
    }
  }

  private func times(_ matrix: [[Double]], _ vector: [Double]) -> [Double] {
    matrix.map { row in zip(row, vector).reduce(0) { $0 + $1.0 * $1.1 } }
  }

  /// CIE L*a*b*, white D65.
  private func lab(_ rgb: [Double]) -> [Double] {
    let bounded = rgb.map { min(max($0, 0), 1) }
    let xyz = times(
      [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]], bounded)
    let f = zip(xyz, [0.9505, 1, 1.089]).map { value, white in
      value / white > 0.008856 ? cbrt(value / white) : 7.787 * value / white + 16.0 / 116
    }
    return [116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])]
  }

  private func luminance(_ color: UInt32) -> Double {
    zip(linear(color), [0.2126, 0.7152, 0.0722]).reduce(0) { $0 + $1.0 * $1.1 }
  }

  /// The ratio of contrast of WCAG 2.
  private func contrast(_ first: UInt32, _ second: UInt32) -> Double {
    let (one, other) = (luminance(first), luminance(second))
    return (max(one, other) + 0.05) / (min(one, other) + 0.05)
  }

  @Test(arguments: Appearance.allCases, 0..<3)
  func `channel colours are distinct for all eyes`(appearance: Appearance, eye: Int) {
    let places = (0..<Ink.channelCount).map { channel in
      lab(times(Self.eyes[eye], linear(appearance.color(of: .channel(channel)))))
    }
    for second in places.indices {
      for first in 0..<second {
        let distance = zip(places[first], places[second])
          .reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }.squareRoot()
        #expect(distance >= (second < 8 ? 16 : 14), "\(first), \(second)")
      }
    }
  }

  @Test(arguments: Appearance.allCases)
  func `channels and text stand out from the ground`(appearance: Appearance) {
    let grounds: [Ink] = [.page, .plot, .shade]
    for ground in grounds.map({ appearance.color(of: $0) }) {
      for channel in 0..<Ink.channelCount {
        #expect(contrast(appearance.color(of: .channel(channel)), ground) > 2.2)
      }
      #expect(contrast(appearance.color(of: .text), ground) > 12)
      #expect(contrast(appearance.color(of: .faint), ground) > 4.5)
    }
  }

  @Test(arguments: Appearance.allCases)
  func `what is louder is farther from the page, step by step`(appearance: Appearance) {
    let ground = appearance.color(of: .page)
    let steps = (0..<Ink.heatCount).map { contrast(appearance.color(of: .heat($0)), ground) }
    #expect(steps == steps.sorted())
    #expect(Set(steps).count == Ink.heatCount)
  }
}
