// SPDX-License-Identifier: Apache-2.0
public import AudioProcessing
public import MusicalTime

extension HeadResponses {
  /// Where Debian's libmysofa1 has the responses of MIT's KEMAR: 710 directions, 1.4 m away.
  public static let installedSOFAFile = "/usr/share/libmysofa/default.sofa"

  /// Reads a SOFA file (AES69) of head-related impulse responses.
  ///
  /// Each direction of the grid is what libmysofa makes of the nearest that were measured, converted to
  /// the rate. All are raised or lowered alike, so that what is ahead is about as loud as without.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - rate: frames a second.
  ///   - azimuthCount: the directions around the head, 4…360.
  ///   - elevationCount: the heights, 3…181.
  ///   - mostTaps: the most frames to keep of a response; nil keeps all.
  /// - Throws: `SOFAError`.
  /// - Note: Control side; it blocks.
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
