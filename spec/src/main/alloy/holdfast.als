/*
 * The lock protocol, for any order in which messages arrive: acquire, extend, repair, sealing release, expiry, crashes that
 * forget, quarantine, floor take-over and fence. Each rule can be switched off, to see what it is good for.
 *
 * Time is in it by its consequences alone. A client relies on a lease for less time than the nodes keep it, so a key does not
 * expire on a node whose confirmation the client relies on (rule Validity). A quarantine is longer than any lease, so it ends
 * when every attempt is over that had begun before it (rule Quarantine).
 */
module holdfast

open util/ordering[Token] as order

/** What a client proposes; clocks may be wrong, so any attempt may propose any. The first one is "none". */
sig Token {}

sig Node {
  /** The attempt whose lock the node keeps. */
  var key: lone Attempt,
  /** The greatest token accepted, and the one below which nothing is accepted since the node may have forgotten it. */
  var fence: one Token,
  var floor: one Token,
  /** Attempts whose release the node has processed. */
  var sealed: set Attempt,
  /** Attempts that had begun before the node forgot; empty when it votes. */
  var awaits: set Attempt,
  /** What others have told of the tokens that it may have forgotten, once its quarantine was over. */
  var learnt: lone Token
}

/** The nodes that vote. */
var sig Voter in Node {}

sig Attempt {
  token: one Token,
  /** What its repairs propose: one number, so a second renewal sends what the first one has sent. */
  number: one Token,
  /** Nodes to which a message of the attempt is on its way; it may arrive late, more than once, or never. */
  var claim: set Node,
  var extension: set Node,
  var repair: set Node,
  var release: set Node,
  /** Nodes whose yes counts: the client has it, or may have it yet, and the key has not expired there since. */
  var yes: set Node,
  /** The nodes on whose keys the client relies. */
  var relies: set Node,
  /** Attempts that had been granted when this one began. */
  var earlier: set Attempt
}

var sig Begun, Granted, Over in Attempt {}

enum Rule {
  /** A client relies on a majority of the nodes. */
  Majority,
  /** A client relies on a lease for less time than the nodes keep it, counted from before it asked. */
  Validity,
  /** A node gives the lock to nobody while another has it. */
  Exclusive,
  /** A node accepts no token below one that it has accepted; */
  CompareFence,
  /** and none equal to it. */
  StrictlyAbove,
  /** A release keeps claims of its attempt that arrive later from taking the lock. */
  Seal,
  /** A release deletes the lock of its own attempt alone. */
  CompareOwner,
  /** An extension that arrives where the lock is gone creates nothing. */
  ExtendCreatesNothing,
  /** A node accepts no repair whose number is below one that it has accepted; */
  RepairComparesFence,
  /** and none whose number is equal to it. */
  RepairStrictlyAbove,
  /** A repair proposes a number that its attempt has never sent to the node; otherwise the token of the lease. */
  RepairFresh,
  /** A repair leaves the key of another attempt alone. */
  RepairTakesNoOther,
  /** A release covers the repairs that its attempt has sent to the node. */
  ReleaseCoversRepairs,
  /** A node that forgot does not vote until the attempts are over that had begun before. */
  Quarantine,
  /** What was found out about a node counts for that process of the server alone. */
  RunId,
  /** A node that forgot takes over the greatest token that others know, */
  TakeOver,
  /** from N - Q + 1 of them. */
  FloorOfEnough,
  /** A node drops a fence only after it has raised its floor above it. */
  FloorBeforeDrop
}

/** The rules that are switched off. */
one sig Config { off: set Rule }

/** The nodes that take part in the present step, where it takes several. */
one sig Step { var nodes: set Node }

pred on[r: Rule] { r not in Config.off }

fun holding: set Attempt { Granted - Over }
fun greatest[ts: set Token]: Token { order/max[ts + order/first] }
/** The greatest number that an attempt has sent to a node. */
fun sent[a: Attempt, n: Node]: Token { n in a.repair implies greatest[a.token + a.number] else a.token }

pred majority[ns: set Node] {
  on[Majority] implies #ns > div[#Node, 2] else #ns >= div[#Node, 2] and some ns
}

fact tokens { all a: Attempt | a.token != order/first }

pred init {
  no key and no sealed and no awaits and no learnt and no claim and no extension and no repair and no release and no yes and no relies and no earlier
  Node.fence = order/first and Node.floor = order/first
  no Begun and no Granted and no Over
  Voter = Node
}

pred unchangedNodes { key' = key and fence' = fence and floor' = floor and sealed' = sealed and awaits' = awaits and learnt' = learnt and Voter' = Voter }
pred unchangedMessages { claim' = claim and extension' = extension and repair' = repair and release' = release }
pred unchangedClients { yes' = yes and relies' = relies and earlier' = earlier and Begun' = Begun and Granted' = Granted and Over' = Over }

/** A client sends a claim with a token of its choice to all nodes. */
pred begin[a: Attempt] {
  a not in Begun
  Begun' = Begun + a
  claim' = claim + a->Node
  earlier' = earlier + a->Granted
  unchangedNodes and extension' = extension and repair' = repair and release' = release
  yes' = yes and relies' = relies and Granted' = Granted and Over' = Over
}

/** Claims of an attempt arrive at some nodes, each of which takes the lock. (Others refuse, which changes nothing.) */
pred accept[a: Attempt, ns: set Node] {
  some ns and ns in a.claim and ns in Voter
  all n: ns {
    on[Exclusive] implies no n.key
    on[CompareFence] implies (on[StrictlyAbove]
      implies order/gt[a.token, greatest[n.fence + n.floor]]
      else order/gte[a.token, greatest[n.fence + n.floor]])
  }
  key' = key ++ ns->a
  fence' = fence ++ ns->a.token
  yes' = yes + a->ns
  floor' = floor and sealed' = sealed and awaits' = awaits and learnt' = learnt and Voter' = Voter
  unchangedMessages and relies' = relies and earlier' = earlier and Begun' = Begun and Granted' = Granted and Over' = Over
}

/** The client has a majority in time. */
pred grant[a: Attempt] {
  a in Begun - Granted - Over
  majority[a.yes]
  Granted' = Granted + a
  relies' = relies + a->a.yes
  unchangedNodes and unchangedMessages and yes' = yes and earlier' = earlier and Begun' = Begun and Over' = Over
}

/** The number of a repair, which the client is free to choose. */
pred mayPropose[a: Attempt, r: Token] {
  on[RepairFresh] implies order/gt[r, a.token] else r = a.token
}

/** A node would accept a repair with this number if it kept no key. */
pred acceptsRepair[n: Node, r: Token] {
  on[RepairComparesFence] implies (on[RepairStrictlyAbove]
    implies order/gt[r, greatest[n.fence + n.floor]]
    else order/gte[r, greatest[n.fence + n.floor]])
}

/** A majority confirms an extension; nodes that do not have the lock are asked to keep it again. */
pred extend[a: Attempt, ns: set Node] {
  a in holding
  mayPropose[a, a.number]
  majority[ns] and (all n: ns | n.key = a)
  relies' = relies - a->Node + a->ns
  extension' = extension + a->Node
  repair' = repair + a->(Node - ns)
  unchangedNodes and claim' = claim and release' = release and yes' = yes and earlier' = earlier
  Begun' = Begun and Granted' = Granted and Over' = Over
}

/** An extension arrives where the lock is gone. */
pred extended[a: Attempt, n: Node] {
  not on[ExtendCreatesNothing]
  n in a.extension and no n.key
  key' = key + n->a
  fence' = fence and floor' = floor and sealed' = sealed and awaits' = awaits and learnt' = learnt and Voter' = Voter
  unchangedMessages and unchangedClients
}

/** A repair arrives, also when the attempt is over. */
pred repaired[a: Attempt, n: Node] {
  n in a.repair and n in Voter
  on[RepairTakesNoOther] implies no n.key
  acceptsRepair[n, a.number]
  key' = key ++ n->a
  fence' = fence ++ n->greatest[n.fence + a.number]
  floor' = floor and sealed' = sealed and awaits' = awaits and learnt' = learnt and Voter' = Voter
  unchangedMessages and unchangedClients
}

/** The client gives up, releases, or loses the lease: it relies on nothing any more. */
pred end[a: Attempt] {
  a in Begun - Over
  Over' = Over + a
  relies' = relies - a->Node
  release' = release + a->Node
  unchangedNodes and claim' = claim and extension' = extension and repair' = repair
  yes' = yes and earlier' = earlier and Begun' = Begun and Granted' = Granted
}

/**
 * A release arrives. The seal is the greatest number of the attempt, so a node that has accepted that one has nothing to write. (The
 * scripts seal with the number above it where they write, since repairs of earlier versions pass a fence that equals theirs.)
 */
pred released[a: Attempt, n: Node] {
  n in a.release
  key' = ((n.key = a or not on[CompareOwner]) implies key - n->Attempt else key)
  fence' = (on[Seal] implies fence ++ n->greatest[n.fence + (on[ReleaseCoversRepairs] implies sent[a, n] else a.token)] else fence)
  sealed' = sealed + n->a
  floor' = floor and awaits' = awaits and learnt' = learnt and Voter' = Voter
  unchangedMessages and unchangedClients
}

/** The time to live of a key is over. Its yes is worth nothing to a client that has not decided yet. */
pred expire[n: Node] {
  some n.key
  on[Validity] implies n not in n.key.relies
  key' = key - n->Attempt
  yes' = (on[Validity] implies yes - n.key->n else yes)
  fence' = fence and floor' = floor and sealed' = sealed and awaits' = awaits and learnt' = learnt and Voter' = Voter
  unchangedMessages and relies' = relies and earlier' = earlier and Begun' = Begun and Granted' = Granted and Over' = Over
}

/** A node forgets everything. Connections to it are lost, and what is on its way over them. */
pred forget[n: Node] {
  key' = key - n->Attempt
  fence' = fence ++ n->order/first
  floor' = floor ++ n->order/first
  sealed' = sealed - n->Attempt
  Voter' = ((on[Quarantine] or on[TakeOver]) implies Voter - n else Voter)
  awaits' = (on[Quarantine] implies awaits ++ n->(Begun - Over) else awaits)
  learnt' = (on[RunId] implies learnt - n->Token else learnt)
  claim' = claim - Attempt->n
  extension' = extension - Attempt->n
  repair' = repair - Attempt->n
  release' = release and unchangedClients
}

/** A client has watched a node for long enough, and asks others which tokens it may have forgotten. */
pred learn[n: Node, others: set Node] {
  n not in Voter
  n.awaits in Over
  others in Voter - n
  on[FloorOfEnough] implies #others >= minus[#Node, div[#Node, 2]] else some others
  learnt' = learnt ++ n->greatest[others.fence + others.floor]
  key' = key and fence' = fence and floor' = floor and sealed' = sealed and awaits' = awaits and Voter' = Voter
  unchangedMessages and unchangedClients
}

/** It says so to the node, which votes again. Others may have done so before, and the node may have been restarted since. */
pred admit[n: Node] {
  n not in Voter and some n.learnt
  floor' = (on[TakeOver] implies floor ++ n->greatest[n.learnt + n.floor] else floor)
  Voter' = Voter + n
  awaits' = awaits - n->Attempt
  key' = key and fence' = fence and sealed' = sealed and learnt' = learnt
  unchangedMessages and unchangedClients
}

/** A node keeps the fence of a resource no longer. */
pred drop[n: Node] {
  n.fence != order/first
  floor' = (on[FloorBeforeDrop] implies floor ++ n->greatest[n.floor + n.fence] else floor)
  fence' = fence ++ n->order/first
  key' = key and sealed' = sealed and awaits' = awaits and learnt' = learnt and Voter' = Voter
  unchangedMessages and unchangedClients
}

pred nothing { unchangedNodes and unchangedMessages and unchangedClients }

fact behaviour {
  init
  always (
    nothing
    or (some a: Attempt | begin[a] or accept[a, Step.nodes] or grant[a] or extend[a, Step.nodes] or end[a])
    or (some a: Attempt, n: Node | extended[a, n] or repaired[a, n] or released[a, n])
    or (some n: Node | expire[n] or forget[n] or learn[n, Step.nodes] or admit[n] or drop[n]))
}

/** At most one relies on the lock. */
pred exclusion { lone holding }
/** No two leases carry one token. */
pred uniqueTokens { all disj a, b: Granted | a.token != b.token }
/** A lease's token is greater than that of every lease granted before its attempt began. */
pred tokenOrder { all a: Granted, b: a.earlier | order/gt[a.token, b.token] }
/** A node that has processed a release never has the lock of that attempt again. */
pred sealHolds { all n: Node | no n.key & n.sealed }

/** A node that votes keeps the key that a client relies on: nothing that others send takes it. */
pred keysStay { all a: holding | all n: a.relies & Voter | n.key = a }
/**
 * A node that has lost the key of a lease accepts its repair once every other attempt is over and taken back there. (Unless
 * numbers run out, which here are few.)
 */
pred repairable {
  all a: holding, n: Voter |
    (no n.key and Begun - a in Over & n.sealed and order/last not in n.fence + n.floor + a.token)
      implies some r: Token | mayPropose[a, r] and acceptsRepair[n, r]
}

pred promises { exclusion and uniqueTokens and tokenOrder and sealHolds }

/* The protocol keeps its promises. */

threeNodes: check { no Config.off implies always promises } for exactly 3 Node, 2 Attempt, 3 Token, 1..9 steps expect 0
fiveNodes: check { no Config.off implies always promises } for exactly 5 Node, 2 Attempt, 3 Token, 1..8 steps expect 0
threeAttempts: check { no Config.off implies always promises } for exactly 3 Node, 3 Attempt, 4 Token, 1..7 steps expect 0
repairs: check { no Config.off implies always (keysStay and repairable) } for exactly 3 Node, 2 Attempt, 4 Token, 1..8 steps expect 0

/* The model is not empty: two leases are granted, one after a node has forgotten and has come back. */

leasesAndQuarantine: run {
  no Config.off
  eventually #Granted = 2
  some n: Node | eventually (n not in Voter and eventually n in Voter)
} for exactly 3 Node, 2 Attempt, 3 Token, 1..12 steps expect 1

/** A key that was lost comes back, although another attempt was taken back on that node meanwhile. */
repairBesideWaiter: run {
  no Config.off
  some disj a, b: Attempt, n: Node |
    eventually (a in holding and b in Over and b in n.sealed and no n.key and order/gt[b.token, a.token] and repaired[a, n])
} for exactly 3 Node, 2 Attempt, 4 Token, 1..11 steps expect 1

/* Without one rule, a promise is broken; the shortest way is shown. */

withoutMajority: run { Config.off = Majority and eventually not exclusion } for exactly 3 Node, 2 Attempt, 3 Token, 1..10 steps expect 1
withoutValidity: run { Config.off = Validity and eventually not exclusion } for exactly 3 Node, 2 Attempt, 3 Token, 1..10 steps expect 1
withoutExclusive: run { Config.off = Exclusive and eventually not exclusion } for exactly 3 Node, 2 Attempt, 3 Token, 1..10 steps expect 1
withoutCompareFence: run { Config.off = CompareFence and eventually not tokenOrder } for exactly 3 Node, 2 Attempt, 3 Token, 1..10 steps expect 1
withoutStrictlyAbove: run { Config.off = StrictlyAbove and eventually not uniqueTokens } for exactly 3 Node, 2 Attempt, 3 Token, 1..10 steps expect 1
withoutSeal: run { Config.off = Seal and eventually not sealHolds } for exactly 3 Node, 2 Attempt, 3 Token, 1..10 steps expect 1
withoutCompareOwner: run { Config.off = CompareOwner and eventually not exclusion } for exactly 3 Node, 3 Attempt, 3 Token, 10 steps expect 1
withoutExtendCreatesNothing: run { Config.off = ExtendCreatesNothing and eventually not sealHolds } for exactly 3 Node, 2 Attempt, 3 Token, 1..10 steps expect 1
withoutRepairComparesFence: run { Config.off = RepairComparesFence and eventually not sealHolds } for exactly 3 Node, 2 Attempt, 3 Token, 1..10 steps expect 1
withoutRepairStrictlyAbove: run { Config.off = RepairStrictlyAbove and eventually not sealHolds } for exactly 3 Node, 2 Attempt, 3 Token, 1..10 steps expect 1
withoutRepairFresh: run { Config.off = RepairFresh + RepairStrictlyAbove and eventually not repairable } for exactly 3 Node, 2 Attempt, 4 Token, 1..10 steps expect 1
withoutRepairTakesNoOther: run {
  Config.off = RepairTakesNoOther and eventually not keysStay
  // Nodes that forget and keys that expire are of no use here; without them the search is short.
  always (Voter = Node and floor = Node->order/first and all n: Node | not expire[n])
} for exactly 3 Node, 2 Attempt, 4 Token, 11 steps expect 1
withoutReleaseCoversRepairs: run { Config.off = ReleaseCoversRepairs and eventually not sealHolds } for exactly 3 Node, 2 Attempt, 3 Token, 1..10 steps expect 1
withoutQuarantine: run { Config.off = Quarantine and eventually not exclusion } for exactly 3 Node, 2 Attempt, 3 Token, 1..10 steps expect 1
withoutRunId: run { Config.off = RunId and eventually not exclusion } for exactly 3 Node, 2 Attempt, 3 Token, 12 steps expect 1
withoutTakeOver: run { Config.off = TakeOver and eventually not tokenOrder } for exactly 3 Node, 2 Attempt, 3 Token, 1..11 steps expect 1
withoutFloorOfEnough: run { Config.off = FloorOfEnough and eventually not tokenOrder } for exactly 3 Node, 2 Attempt, 3 Token, 1..11 steps expect 1
withoutFloorBeforeDrop: run { Config.off = FloorBeforeDrop and eventually not tokenOrder } for exactly 3 Node, 2 Attempt, 3 Token, 1..10 steps expect 1
