// SPDX-License-Identifier: Apache-2.0
public import AudioProcessing
public import MusicalTime

extension HeadResponses {
  /// The path of the SOFA file in Debian's package `libmysofa1`: responses of the KEMAR dummy head
  /// (MIT), measured from 710 directions at a distance of 1.4 m.
  public static let installedSOFAFile = "/usr/share/libmysofa/default.sofa"

  /// Reads head-related impulse responses from a SOFA file (AES69).
  ///
  /// For each direction of the grid, libmysofa interpolates between the nearest measured responses
  /// and converts them to the sample rate. All responses are scaled by one gain, so that a source
  /// straight ahead is about as loud as without the responses.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - rate: the sample rate.
  ///   - azimuthCount: the number of directions around the head, 4…360.
  ///   - elevationCount: the number of elevations from −90° to 90°, 3…181.
  ///   - mostTaps: the maximum length of a response, in frames; nil to keep all frames.
  /// - Throws: `SOFAError`.
  /// - Note: Any thread except the render thread, because the call blocks.
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
