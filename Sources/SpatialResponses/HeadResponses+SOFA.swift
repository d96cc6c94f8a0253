// SPDX-License-Identifier: Apache-2.0
public import AudioProcessing
public import MusicalTime

extension HeadResponses {
  /// Path of the KEMAR responses (MIT) in Debian's package `libmysofa1`: 710 directions at 1.4 m.
  public static let installedSOFAFile = "/usr/share/libmysofa/default.sofa"

  /// Reads head-related impulse responses from a SOFA file (AES69).
  ///
  /// For each direction of the grid, libmysofa interpolates between the nearest measured responses
  /// and converts them to the sample rate. One common gain then makes a source straight ahead about
  /// as loud as it is without the responses.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - rate: the sample rate.
  ///   - azimuthCount: number of directions around the head, 4…360.
  ///   - elevationCount: number of elevations, 3…181.
  ///   - mostTaps: the most frames to keep of a response; nil keeps all.
  /// - Throws: `SOFAError`.
  /// - Note: Any thread, but not the render thread: it blocks.
  public init(
    sofaFile path: String = HeadResponses.installedSOFAFile, rate: SampleRate,
    azimuthCount: Int = 72, elevationCount: Int = 19, mostTaps: Int? = nil
  ) throws(SOFAError) {
    let file = try SOFAHandle(path: path, rate: rate)
    try self.init(
      rate: rate, azimuthCount: azimuthCount, elevationCount: elevationCount, mostTaps: mostTaps
    ) { azimuth, elevation throws(SOFAError) in
      try file.ears(azimuth: azimuth, elevation: elevation)
    }
  }
}
