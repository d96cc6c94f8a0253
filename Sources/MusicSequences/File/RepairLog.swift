// SPDX-License-Identifier: Apache-2.0

/// What a reading had to say, bounded: damage may be everywhere.
struct RepairLog: Sendable {
  /// Repairs kept of one track; further ones are only counted.
  static let trackLimit = 100
  /// Repairs kept of one file.
  static let fileLimit = 1000

  private(set) var repairs: [Repair] = []
  private(set) var omitted = 0
  private let limit: Int

  init(limit: Int) {
    self.limit = limit
  }

  /// The first that is not a remark: what `strict` throws, and why a track is written anew.
  var firstRepair: Repair? { repairs.first { !$0.isRemark } }

  mutating func append(_ repair: Repair) {
    // However many remarks there are, the first repair is kept.
    if repairs.count < limit || !repair.isRemark && firstRepair == nil {
      repairs.append(repair)
    } else {
      omitted += 1
    }
  }

  /// Removes the repairs that fit a condition.
  mutating func removeAll(where isWrong: (Repair) -> Bool) {
    repairs.removeAll(where: isWrong)
  }

  mutating func append(contentsOf other: RepairLog) {
    for repair in other.repairs { append(repair) }
    omitted += other.omitted
  }
}
