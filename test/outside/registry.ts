/** What npm says where the registry is out of reach; anything else that goes wrong is a fault of ours. */
export const OUT_OF_REACH = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|network/;
