//! Which states are visited first.

use clap::ValueEnum;
use lineal_check::refine::Order;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SearchArg {
    /// Those with the fewest visible events: witnesses have shortest traces
    Breadth,
    /// Those found last
    Depth,
}

impl From<SearchArg> for Order {
    fn from(arg: SearchArg) -> Self {
        match arg {
            SearchArg::Breadth => Order::Breadth,
            SearchArg::Depth => Order::Depth,
        }
    }
}
