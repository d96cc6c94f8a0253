// SPDX-License-Identifier: Apache-2.0

extension MP4Sound {
  /// The packets of a file, including those in fragments.
  ///
  /// - Complexity: O(n) in the number of bytes if the file has fragments.
  func allPackets(of stream: FileStream) -> PacketTable {
    guard !fragmentDefaults.isEmpty, let survey = PacketSurvey(of: stream, kind: .mp4) else {
      return table
    }
    survey.finish()
    var found = survey.table
    let length = stream.length
    guard let last = found.packets.last, last.offset > length - Int64(last.byteCount) else {
      return found
    }
    // The file ends within the last packet.
    found.packets.removeLast()
    return found
  }
}
